// Signs in with a passkey. Without one, or without this script, the form for the password works.
const form = document.querySelector('[data-passkey]')
const hasPasskeys =
  navigator.credentials !== undefined &&
  typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function'

if (form && hasPasskeys && location.origin === form.dataset.passkey) {
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
    response: jsonOf(credential),
    next,
  })
  location.assign(page)
}

/** The fields that the server checks. Objects of extensions that keep passwords may lack `toJSON`. */
const jsonOf = ({ rawId, response: { clientDataJSON, authenticatorData, signature } }) => ({
  id: base64Url(rawId),
  response: {
    clientDataJSON: base64Url(clientDataJSON),
    authenticatorData: base64Url(authenticatorData),
    signature: base64Url(signature),
  },
})

const base64Url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`the server responded with ${response.status}`)
  return response.json()
}
