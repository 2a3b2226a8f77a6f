#!/bin/sh
# Prints what is known of the services.
echo "no service is configured"
