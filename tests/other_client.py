"""A client that is not ours, the official Python SDK (`mcp` from PyPI), beside `skilldeck serve`.

    python tests/other_client.py PATH/TO/skilldeck

It makes a small project, serves it, and stops at the first thing that is not as it should be.
"""

import sys
import tempfile
from pathlib import Path

import anyio
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.subscriptions import listen


def skill(root: Path, name: str, body: str, description: str = "Use it when asked.") -> None:
    folder = root / ".kaged" / "skills" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(
        f"---\nname: {name}\ndescription: {description}\n---\n\n{body}\n"
    )


def project(top: Path) -> Path:
    root = top / "project"
    skill(root, "ask", "Ask about $ARGUMENTS.")
    skill(root, "fix", "Fix it.")
    (root / ".kaged/skills/fix/notes.md").write_text("Notes.\n")
    (root / ".kaged/skills/fix/picture.bin").write_bytes(b"\x00\xff\xfe")
    (root / ".kaged/skills/fix/a b#c.txt").write_text("Odd name.\n")
    return root


def text(result) -> str:
    return "".join(block.text for block in result.content)


def names(tools) -> list[str]:
    (tool,) = tools.tools
    return tool.input_schema["properties"]["skill"]["enum"]


async def until(check) -> None:
    with anyio.fail_after(20):
        while not check():
            await anyio.sleep(0.02)


async def refused(call, word: str) -> None:
    try:
        await call
    except Exception as error:  # noqa: BLE001 - whatever the SDK calls it
        assert word in str(error), error
        return
    raise AssertionError("it was not refused")


async def speaks(client: Client, tool: str) -> None:
    """What holds in every version of the protocol."""
    tools = await client.list_tools()
    (listed,) = tools.tools
    assert listed.name == tool, listed
    assert listed.description.startswith("Activate a skill"), listed
    assert "- **ask**: Use it when asked." in listed.description, listed
    assert listed.input_schema["required"] == ["skill"], listed
    assert names(tools) == ["ask", "fix"], tools

    bare = await client.call_tool(tool, {"skill": "ask"})
    assert "Ask about $ARGUMENTS." in text(bare), bare
    given = await client.call_tool(tool, {"skill": "ask", "args": "the weather"})
    assert "Ask about the weather." in text(given) and not given.is_error, given
    near = await client.call_tool(tool, {"skill": "fixx"})
    assert near.is_error and "did you mean" in text(near) and "`fix`" in text(near), near
    for wrong in ({}, {"skill": 7}, {"skill": ""}, {"skill": "ask", "args": 1}):
        answer = await client.call_tool(tool, wrong)
        assert answer.is_error and "INVALID_PARAM" in text(answer), answer
    await refused(client.call_tool("rm", {"skill": "ask"}), "no tool")

    resources = (await client.list_resources()).resources
    uris = {str(resource.uri) for resource in resources}
    assert "skill://ask/SKILL.md" in uris and "skill://fix/notes.md" in uris, uris
    assert len(uris) == 5, uris
    for uri in sorted(uris):
        (content,) = (await client.read_resource(uri)).contents
        if uri.endswith("notes.md"):
            assert content.text == "Notes.\n" and content.mime_type == "text/markdown", content
        if uri.endswith("picture.bin"):
            assert content.blob == "AP/+", content
    for outside in (
        "skill://fix/../../etc/passwd",
        "skill://fix/../../../../../../../../etc/passwd",
        "skill://fix/%2e%2e/%2e%2e/etc/passwd",
        "skill://fix//etc/passwd",
        "file:///etc/passwd",
        "skill://ask/notes.md",
        "skill://fix/",
        "skill://",
    ):
        await refused(client.read_resource(outside), "no file")


async def older(binary: str, root: Path) -> None:
    """The protocol that begins with `initialize`: every change is told."""
    told: list[str] = []

    async def hear(message) -> None:
        told.append(type(getattr(message, "root", message)).__name__)

    server = StdioServerParameters(
        command=binary, args=["serve", "--project", str(root), "--tool-name", "skill_use"]
    )
    async with Client(server, mode="legacy", message_handler=hear) as client:
        await speaks(client, "skill_use")
        skill(root, "late", "Late.")
        await until(lambda: "ToolListChangedNotification" in told)
        await until(lambda: "ResourceListChangedNotification" in told)
        assert names(await client.list_tools()) == ["ask", "fix", "late"]
        assert "Late." in text(await client.call_tool("skill_use", {"skill": "late"}))
        # Only a body: the tool is what it was, and the new body is what is given.
        told.clear()
        skill(root, "late", "Later.")
        assert "Later." in text(await client.call_tool("skill_use", {"skill": "late"}))
        # Without a skill that loads there is no tool.
        for name in ("ask", "fix", "late"):
            (root / ".kaged/skills" / name / "SKILL.md").write_text("no fence\n")
        await until(lambda: "ToolListChangedNotification" in told)
        with anyio.fail_after(20):
            while (await client.list_tools()).tools:
                await anyio.sleep(0.02)


async def newer(binary: str, root: Path) -> None:
    """The protocol without it: what is asked for is told."""
    server = StdioServerParameters(command=binary, args=["serve", "--project", str(root)])
    async with Client(server) as client:
        await speaks(client, "skill.use")
        async with listen(
            client.session, tools_list_changed=True, resources_list_changed=True
        ) as changes:
            skill(root, "late", "Late.")
            seen = set()
            with anyio.fail_after(20):
                async for event in changes:
                    seen.add(type(event).__name__)
                    if seen >= {"ToolsListChanged", "ResourcesListChanged"}:
                        break
        assert names(await client.list_tools(cache_mode="bypass")) == ["ask", "fix", "late"]


async def main() -> None:
    binary = str(Path(sys.argv[1]).resolve())
    for run in (older, newer):
        with tempfile.TemporaryDirectory() as top:
            await run(binary, project(Path(top)))
            print(f"{run.__name__}: as it should be")


anyio.run(main)
