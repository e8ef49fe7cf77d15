// The token of an invitation stands after the # of its link, where no log and no referrer has it.
const field = document.querySelector('[data-link-code]')
const code = field?.querySelector('input')

function readLink() {
  const token = location.hash.slice(1)
  if (!code) return
  if (token) {
    code.value = token
    field.hidden = true
  }
  // Without a response, the page works as it does without this script.
  if (code.value) showInvitation(code.value).catch(() => {})
}

/** Says who invites to which account with which role, and enters the address that the link is for. */
async function showInvitation(link) {
  const body = new URLSearchParams({ link })
  const response = await fetch('/welcome/invitation', { method: 'POST', body })
  const { text, email } = await response.json()
  document.querySelector('.invitation').textContent = text
  document.querySelector('.general')?.remove()
  if (response.status === 404) code.form.remove()
  const address = document.querySelector('[name=email]')
  if (email && address?.value === '') {
    address.value = email
    if (document.activeElement === address) document.querySelector('[name=name]').focus()
  }
}

readLink()
addEventListener('hashchange', readLink)
