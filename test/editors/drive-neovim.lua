-- Does in Neovim what a person does, and prints what it shows. Any error ends it with a failure.
local function drive()
  local wait = 30000
  local function ask(method, params)
    local answers = vim.lsp.buf_request_sync(0, method, params, wait)
    for _, answer in pairs(answers or {}) do
      return answer.result
    end
    error('no answer to ' .. method)
  end
  local function say(text)
    io.stdout:write(text .. '\n')
  end
  local function problems()
    return vim.diagnostic.get(0)
  end
  assert(vim.wait(wait, function() return #problems() == 1 end), 'no problem is shown')
  local problem = problems()[1]
  say('problem: ' .. problem.message)
  vim.api.nvim_win_set_cursor(0, { problem.lnum + 1, problem.col + 1 })
  local place = vim.lsp.util.make_range_params()
  place.context = { diagnostics = {}, only = { 'quickfix' } }
  local action = ask('textDocument/codeAction', place)[1]
  say('fix: ' .. action.title)
  vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
  assert(vim.wait(wait, function() return #problems() == 0 end), 'the problem is still shown')

  vim.api.nvim_win_set_cursor(0, { 8, 17 })
  local labels = {}
  for _, item in ipairs(ask('textDocument/completion', vim.tbl_extend('force', vim.lsp.util.make_position_params(), { position = { line = 10, character = 26 } }))) do
    table.insert(labels, item.label)
  end
  say('proposals: ' .. table.concat(labels, ' '))

  vim.api.nvim_win_set_cursor(0, { 8, 9 })
  local renamed = vim.tbl_extend('force', vim.lsp.util.make_position_params(), { newName = 'amount' })
  vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', renamed), 'utf-16')
  vim.lsp.util.apply_text_edits(ask('textDocument/formatting', vim.lsp.util.make_formatting_params({})), 0, 'utf-16')
  vim.wait(1000, function() return false end)
  say('problems left: ' .. #problems())
  vim.cmd('silent write')

  vim.cmd('edit caller.wf')
  assert(vim.wait(wait, function() return #problems() == 1 end), 'no problem with the called workflow is shown')
  say('called: ' .. problems()[1].message)
  assert(os.rename('part.txt', 'part.wf'))
  assert(vim.wait(wait, function() return #problems() == 0 end), 'the called workflow is not seen')
  say('called workflow is seen')
end

local ok, fault = xpcall(drive, debug.traceback)
if ok then
  vim.cmd('quitall!')
else
  io.stderr:write(fault .. '\n')
  vim.cmd('cquit')
end
