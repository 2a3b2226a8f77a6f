//! Arguments to one of the faces; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    skilldeck::cli::main(std::env::args_os())
}
