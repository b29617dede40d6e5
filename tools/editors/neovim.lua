-- Waits for the first diagnostics of the file that is open, and writes them to the file ANSWER.
-- CONFIGURATION
vim.defer_fn(function()
  vim.wait(110000, function() return #vim.diagnostic.get(0) > 0 end, 100)
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, string.format("%d: %s", d.lnum + 1, d.message))
  end
  if vim.lsp.inlay_hint ~= nil then
    vim.wait(10000, function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end, 100)
    for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
      local label = hint.inlay_hint.label
      table.insert(found, "inlay hint" .. (type(label) == "string" and label or label[1].value))
    end
  end
  local encode = vim.json ~= nil and vim.json.encode or vim.fn.json_encode
  local file = io.open(vim.env.ANSWER .. ".part", "w")
  file:write(encode(found))
  file:close()
  os.rename(vim.env.ANSWER .. ".part", vim.env.ANSWER)
  vim.cmd("qall!")
end, 100)
