// The token of an invitation stands after the # of its link, where no log and no referrer has it.
function readLink() {
  const token = location.hash.slice(1)
  const field = document.querySelector('[data-link-code]')
  const input = field?.querySelector('input')
  if (!token || !input) return
  input.value = token
  field.hidden = true
}

readLink()
addEventListener('hashchange', readLink)
