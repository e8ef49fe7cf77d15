// The token of an invitation stands after the # of its link, where no log and no referrer has it.
const field = document.querySelector('[data-link-code]')
const code = field?.querySelector('input')
const root = document.documentElement

function readLink() {
  const token = location.hash.slice(1)
  if (!code) return
  if (token) {
    code.value = token
    field.hidden = true
  }
  if (!code.value) return
  // The page is shown as a whole, so that nothing moves. Without a response, it works as it does without this script.
  root.dataset.asking = ''
  const shown = showInvitation(code.value).catch(() => {})
  const late = new Promise((resolve) => setTimeout(resolve, LATE_MS))
  void Promise.race([shown, late]).then(() => {
    delete root.dataset.asking
    focusFirst()
  })
}

const LATE_MS = 2000

/** Says which account, role and inviter the link is for, and enters the address that it is for. */
async function showInvitation(link) {
  const body = new URLSearchParams({ link })
  const response = await fetch('/welcome/invitation', { method: 'POST', body })
  const { title, text, facts = [], email, replaced } = await response.json()
  if (title) document.querySelector('h1').textContent = title
  const invitation = document.querySelector('.invitation')
  invitation.replaceChildren(...(facts.length > 0 ? [listOf(facts)] : []))
  if (text) invitation.append(element('p', text))
  document.querySelector('.general')?.remove()
  if (response.status === 404) code.form.remove()
  const address = document.querySelector('[name=email]')
  if (email && address?.value === '') address.value = email
  if (replaced && !document.querySelector('[name=replaces]')) agreeToReplace(replaced, email)
}

/** Says before a password is entered which sign-in it replaces; to continue is to agree. */
function agreeToReplace({ text, lines, submit }, email) {
  const warning = element('div', '')
  warning.className = 'alert'
  const list = element('ul', '')
  list.append(...lines.map((line) => element('li', line)))
  warning.append(element('p', text), list)
  const agreed = element('input', '')
  Object.assign(agreed, { type: 'hidden', name: 'replaces', value: email })
  code.form.prepend(agreed)
  code.form.before(warning)
  code.form.querySelector('button').textContent = submit
}

function listOf(facts) {
  const list = document.createElement('dl')
  for (const { label, value, detail } of facts) {
    const shown = element('dd', '')
    const name = document.createElement('bdi')
    name.textContent = value
    shown.append(name)
    if (detail) shown.append(element('small', detail))
    list.append(element('dt', label), shown)
  }
  return list
}

function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** Fields that are hidden cannot have the focus. What a problem was found in has it first, then what is empty. */
function focusFirst() {
  if (document.activeElement !== document.body) return
  const fields = [...document.querySelectorAll('.field:not([hidden]) input')]
  const wrong = fields.find((input) => input.ariaInvalid === 'true')
  const next = wrong ?? fields.find((input) => input.value === '')
  // Without a scroll, so that what the link is for stays in sight on a phone.
  next?.focus({ preventScroll: true })
}

const password = document.querySelector('[name=password]')
const strength = document.querySelector('.strength')

if (password && strength) {
  const words = JSON.parse(strength.dataset.words)
  password.addEventListener('input', () => {
    const level = strengthOf(password.value, document.querySelector('[name=email]').value)
    strength.textContent = level ? words[level] : ''
    strength.dataset.level = level
  })
}

/** An estimate without a dictionary: the server has one, and the last word. */
function strengthOf(value, email) {
  const text = value.toLowerCase()
  if (text === '') return ''
  if (text.length < password.minLength) return 'short'
  const known = ['reelgate', email.trim().toLowerCase(), ...email.toLowerCase().split('@')]
  const isKnown = known.some((word) => word.length > 3 && text.includes(word))
  const left = withoutRuns(
    text.replaceAll(/passw[o0]rd|p@ssw[o0]rd|qwert[yz]|letmein|welcome|admin/g, ''),
  )
  if (isKnown || left < EASY_MAX || /^(.+?)\1+$/.test(text)) return 'easy'
  return left < STRONG_MIN ? 'fair' : 'strong'
}

const EASY_MAX = 9
const STRONG_MIN = 16

/** How many characters neither repeat nor continue a sequence such as 1234. */
function withoutRuns(text) {
  let count = 0
  let last = Number.NaN
  for (let at = 0; at < text.length; at += 1) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1)
    if (step !== last || Math.abs(step) > 1) count += 1
    last = step
  }
  return count
}

readLink()
addEventListener('hashchange', readLink)
