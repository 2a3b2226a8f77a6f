//! What the server answers.

use std::future::Future;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    JsonObject, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool, ToolAnnotations,
};
use rmcp::service::{
    NotificationContext, Peer, RequestContext, RoleServer, SubscriptionContext, SubscriptionSink,
};
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Value, json};

use super::files::{self, Content};
use super::live::{Changes, Live};
use super::{Say, Word};
use crate::project::activate::{ActivateError, ErrorCode};
use crate::prompt::arguments::Arguments;

/// Resources that are listed at once.
const PAGE: usize = 500;

/// Answers one client.
#[derive(Clone)]
pub struct Server {
    live: Live,
    tool_name: Arc<str>,
    say: Say,
}

impl Server {
    /// A server for the skills of a live.
    pub fn new(live: Live, tool_name: String, say: Say) -> Self {
        Self { live, tool_name: tool_name.into(), say }
    }

    /// The tool; `None` when no skill can be used.
    fn tool(&self) -> Option<Tool> {
        let definition = self.live.library().tool_definition()?;
        let schema = json!({
            "type": "object",
            "required": ["skill"],
            "properties": {
                "skill": {
                    "type": "string",
                    "description": "The name of the skill",
                    "enum": definition.names(),
                },
                "args": {
                    "type": "string",
                    "description": "Arguments for the skill, as one text",
                },
            },
        });
        let schema: JsonObject = schema.as_object().cloned().unwrap_or_default();
        let tool = Tool::new(
            self.tool_name.to_string(),
            definition.description().to_owned(),
            Arc::new(schema),
        );
        let hints = ToolAnnotations::new().read_only(true).open_world(false).idempotent(true);
        Some(tool.with_annotations(hints))
    }

    fn activate(&self, parameters: &JsonObject) -> Result<String, ActivateError> {
        let text = |key: &str| match parameters.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str())),
            Some(_) => Err(invalid(format!("`{key}` must be a string"))),
        };
        let name = text("skill")?.ok_or_else(|| invalid("`skill` is missing".to_owned()))?;
        let arguments = text("args")?.map_or(Arguments::NotGiven, Arguments::Given);
        let mut library = self.live.library();
        let before = library.record_trouble().map(str::to_owned);
        let done = library.activate(name, arguments);
        if let Some(why) = library.record_trouble().filter(|now| before.as_deref() != Some(*now)) {
            (self.say)(Word::Unrecorded(why.to_owned()));
        }
        done.map(|activated| activated.content)
    }
}

fn invalid(message: String) -> ActivateError {
    ActivateError { code: ErrorCode::InvalidParam, message }
}

/// Runs what may wait for the disk where the client is not kept waiting for it.
async fn off_the_loop<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ErrorData> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// Where word of changes is sent.
enum Listener {
    /// Clients of the older protocol, which are told everything.
    Peer(Peer<RoleServer>),
    /// Those that asked.
    Subscription(SubscriptionSink),
}

impl Listener {
    /// Tells of changes until the client is gone.
    async fn tell(self, live: Live) {
        let mut changes = live.changes();
        let mut told: Changes = *changes.borrow();
        while changes.changed().await.is_ok() {
            let now = *changes.borrow_and_update();
            let is_sent = match &self {
                Self::Peer(peer) => {
                    (now.tool == told.tool || peer.notify_tool_list_changed().await.is_ok())
                        && (now.files == told.files
                            || peer.notify_resource_list_changed().await.is_ok())
                }
                Self::Subscription(sink) => {
                    // What it did not ask for is refused here, which is no failure.
                    if now.tool != told.tool {
                        sink.notify_tool_list_changed().await.ok();
                    }
                    if now.files != told.files {
                        sink.notify_resource_list_changed().await.ok();
                    }
                    true
                }
            };
            if !is_sent {
                return;
            }
            told = now;
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .build();
        let about = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(about).with_instructions(format!(
            "The skills of a project. Call `{}` with the name of a skill before work that its \
             description names.",
            self.tool_name
        ))
    }

    fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send + '_ {
        let server = self.clone();
        async move {
            let tool = off_the_loop(move || server.tool()).await?;
            Ok(ListToolsResult::with_all_items(tool.into_iter().collect()))
        }
    }

    fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> + Send + '_ {
        let server = self.clone();
        async move {
            if *request.name != *server.tool_name {
                let message = format!("there is no tool `{}`", request.name);
                return Err(ErrorData::invalid_params(message, None));
            }
            let parameters = request.arguments.unwrap_or_default();
            let done = off_the_loop(move || server.activate(&parameters)).await?;
            let text = |text: String| vec![ContentBlock::text(text)];
            let result = match done {
                Ok(content) => CallToolResult::success(text(content)),
                Err(error) => CallToolResult::error(text(error.to_string())),
            };
            Ok(result.into())
        }
    }

    fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListResourcesResult, ErrorData>> + Send + '_ {
        let live = self.live.clone();
        async move {
            let cursor = request.and_then(|request| request.cursor);
            let start = match cursor.as_deref().map(str::parse::<usize>) {
                None => 0,
                Some(Ok(start)) => start,
                Some(Err(_)) => {
                    let message = "the cursor is none of this server's";
                    return Err(ErrorData::invalid_params(message, None));
                }
            };
            let files = off_the_loop(move || files::list(&live.library())).await?;
            let count = files.len();
            let page = files.into_iter().skip(start).take(PAGE).map(|file| {
                let mut resource = Resource::new(file.uri, file.name);
                if let Some(description) = file.description {
                    resource = resource.with_description(description);
                }
                match file.mime_type {
                    Some(mime_type) => resource.with_mime_type(mime_type),
                    None => resource,
                }
            });
            let mut result = ListResourcesResult::with_all_items(page.collect());
            let next = start.saturating_add(PAGE);
            result.next_cursor = (next < count).then(|| next.to_string());
            Ok(result)
        }
    }

    fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ReadResourceResponse, ErrorData>> + Send + '_ {
        let live = self.live.clone();
        async move {
            let uri = request.uri.clone();
            let read = off_the_loop(move || files::read(&live.library(), &uri)).await?;
            let contents = match read {
                Ok(Content::Text(text)) => ResourceContents::text(text, request.uri.clone()),
                Ok(Content::Bytes(bytes)) => {
                    ResourceContents::blob(STANDARD.encode(bytes), request.uri.clone())
                }
                Err(why) => return Err(ErrorData::resource_not_found(why, None)),
            };
            let contents = match files::mime_type(&request.uri) {
                Some(mime_type) => contents.with_mime_type(mime_type),
                None => contents,
            };
            Ok(ReadResourceResult::new(vec![contents]).into())
        }
    }

    fn on_initialized(
        &self,
        context: NotificationContext<RoleServer>,
    ) -> impl Future<Output = ()> + Send + '_ {
        tokio::spawn(Listener::Peer(context.peer).tell(self.live.clone()));
        std::future::ready(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let sink = context.sink().clone();
        tokio::select! {
            () = context.cancelled() => {}
            () = Listener::Subscription(sink).tell(self.live.clone()) => {}
        }
        Ok(())
    }
}
