-- Neovim as a client of the language server: `nvim --headless --clean -l`-like, run by tests/test_language_server.py.
-- Prints a line of JSON with what it was told of the file PROGRAM.
local command = vim.fn.json_decode(vim.env.SERVER)
local file = vim.env.PROGRAM
vim.cmd("edit " .. vim.fn.fnameescape(file))
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ cmd = command, root_dir = vim.fn.fnamemodify(file, ":h"), name = "arraytyping" })
vim.lsp.buf_attach_client(buffer, id)
local function wait(holds)
  vim.wait(120000, holds, 50)
end
wait(function() return #vim.diagnostic.get(buffer) > 0 end)
local function ask(method, line, character)
  local params = { textDocument = { uri = vim.uri_from_fname(file) } }
  if line then params.position = { line = line, character = character } end
  local all = { start = { line = 0, character = 0 }, ["end"] = { line = 1000, character = 0 } }
  if method == "textDocument/inlayHint" then params.range = all end
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000) or {}
  for _, answer in pairs(answers) do return answer.result end
end
local found = {
  diagnostics = vim.tbl_map(function(d) return { d.lnum, d.message } end, vim.diagnostic.get(buffer)),
  hints = vim.tbl_map(function(h) return { h.position.line, h.label } end, ask("textDocument/inlayHint") or {}),
  lenses = vim.tbl_map(function(l) return { l.range.start.line, l.command.title } end, ask("textDocument/codeLens") or {}),
  hover = (ask("textDocument/hover", 5, 13) or { contents = { value = "" } }).contents.value,
  declaration = vim.tbl_map(function(l) return l.range.start.line end, ask("textDocument/declaration", 5, 13) or {}),
}
-- the mistake is mended in the buffer, and nothing is saved
vim.api.nvim_buf_set_lines(buffer, 4, 5, false, { "w = jnp.ones((3, 4))" })
wait(function() return #vim.diagnostic.get(buffer) == 0 end)
found.left = #vim.diagnostic.get(buffer)
io.stdout:write(vim.fn.json_encode(found) .. "\n")
vim.lsp.stop_client(vim.lsp.get_active_clients())
vim.cmd("qall!")
