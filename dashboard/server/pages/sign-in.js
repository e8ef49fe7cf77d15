// Signs in with a passkey. Without one, or without this script, the form for the password works.
const form = document.querySelector('[data-passkey]')
const hasPasskeys =
  typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function'

if (form && hasPasskeys && location.hostname === form.dataset.passkey) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    signIn().catch(() => {
      form.querySelector('[role=alert]').hidden = false
    })
  })
}

async function signIn() {
  const { options, ticket } = await post('/sign-in/passkey/challenge', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  const next = document.querySelector('[name=next]')?.value
  const { location: page } = await post('/sign-in/passkey', {
    ticket,
    response: credential.toJSON(),
    next,
  })
  location.assign(page)
}

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  return response.json()
}
