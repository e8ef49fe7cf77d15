import { describe, expect, it } from 'vitest'
import { normalEmail } from '../../../commands/members/email-address.ts'
import { createInvitation } from '../../../commands/members/invitations.ts'
import { findRole } from '../../../db/members/members.ts'
import { countPasskeys } from '../../../db/members/passkeys.ts'
import { insertPasskey } from '../../../db/members/write-passkeys.ts'
import type { Actor } from '../../../domain/accounts/audit.ts'
import type { Role } from '../../../domain/accounts/roles.ts'
import { createAccountFixture } from '../../../test/fixtures/account.ts'
import { PASSWORD, setUpDashboardFixture, tokenSetBy } from '../../../test/fixtures/dashboard.ts'

const t = setUpDashboardFixture()

const member: Actor = { kind: 'member', id: 1, name: 'owner@site.example' }
const operator: Actor = { kind: 'operator', id: null, name: 'root' }

interface Invite {
  role?: Role
  email?: string
  by?: Actor
  accountId?: number
}

const invite = async ({ role = 'editor', email, by = member, accountId }: Invite = {}) =>
  (
    await createInvitation(t.em(), {
      accountId: accountId ?? t.accountId,
      role,
      email: email ?? null,
      by,
    })
  ).token

const welcome = (link: string, change: Record<string, string> = {}) =>
  t.send('POST', '/welcome', {
    form: { link, email: 'new@site.example', name: 'Anna', password: PASSWORD, ...change },
  })

const newEmail = () => `${crypto.randomUUID()}@site.example`

const roleOf = async (email: string, accountId = t.accountId) => {
  const [row] = await t.execute<{ id: number }>('select id from member where email = ?', [email])
  return row ? findRole(t.em(), accountId, row.id) : null
}

describe('the page of an invitation', () => {
  it('makes its reader a member, signs in and leads to the account', async () => {
    const email = newEmail()
    const response = await welcome(await invite(), { email: ` ${email.toUpperCase()} ` })
    expect([response.status, response.headers.get('Location')]).toEqual([
      303,
      `/accounts/${t.accountId}`,
    ])
    const me = await t.send('GET', `/api/accounts/${t.accountId}/me`, {
      token: tokenSetBy(response),
    })
    expect(await me.json()).toMatchObject({ email, name: 'Anna', role: 'editor' })
  })

  it('writes the acceptance to the audit log', async () => {
    const email = newEmail()
    const response = await welcome(await invite(), { email })
    const rows = await t.execute(
      'select account_id, action, actor_name, after from audit_entry where request_id = ?',
      [response.headers.get('Request-Id')],
    )
    expect(rows).toEqual([
      {
        account_id: t.accountId,
        action: 'invitation.accept',
        actor_name: email,
        after: { email, role: 'editor' },
      },
    ])
  })

  it('works once', async () => {
    const link = await invite()
    expect((await welcome(link, { email: newEmail() })).status).toBe(303)
    const email = newEmail()
    const second = await welcome(link, { email })
    expect([second.status, tokenSetBy(second)]).toEqual([404, null])
    expect(await second.text()).toContain('This link cannot be used')
    expect(await roleOf(email)).toBeNull()
  })

  it('gives a new token, whatever token the browser had', async () => {
    const planted = await t.startSession(t.members.stranger.id)
    const form = { link: await invite(), email: newEmail(), name: 'Anna', password: PASSWORD }
    const response = await t.send('POST', '/welcome', { form, token: planted })
    expect(tokenSetBy(response)).toMatch(/^[\w-]{43}$/)
    expect(tokenSetBy(response)).not.toBe(planted)
    const path = `/api/accounts/${t.otherAccountId}/me`
    expect((await t.send('GET', path, { token: planted })).status).toBe(401)
  })

  it.each([
    ['a member', {}, 'editor'],
    ['the operator, which sets the first owner up', { role: 'owner', by: operator }, 'owner'],
  ] as const)('of %s works for one of two people at once', async (_who, facts, role) => {
    const link = await invite(facts)
    const emails = [newEmail(), newEmail()]
    const responses = await Promise.all(emails.map((email) => welcome(link, { email })))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([303, 404]))
    const roles = await Promise.all(emails.map((email) => roleOf(email)))
    expect(new Set(roles)).toEqual(new Set([role, null]))
  })

  it.each([
    [{ email: 'no address' }, 'Enter a complete e-mail address.'],
    [{ email: `${'a'.repeat(260)}@b` }, 'Enter a complete e-mail address.'],
    [{ name: ' ' }, 'Enter your name'],
    [{ password: 'too short' }, 'A password must have 12 to 256 characters.'],
    [{ password: 'x'.repeat(257) }, 'A password must have 12 to 256 characters.'],
    [{ password: 'password1234' }, 'This password is too easy to guess.'],
    [{ password: 'P@ssw0rd12345' }, 'This password is too easy to guess.'],
    [{ password: 'abcabcabcabcabc' }, 'This password is too easy to guess.'],
    [{ password: 'My own Reelgate, 7 gates' }, 'This password is too easy to guess.'],
    [{ password: 'so NEW@site.example it is' }, 'This password is too easy to guess.'],
  ])('says what is wrong with %j, keeps the rest and stays usable', async (change, message) => {
    const link = await invite()
    const response = await welcome(link, change)
    expect(response.status).toBe(422)
    const html = await response.text()
    expect(html).toContain(message)
    expect(html).toContain(`value="${link}"`)
    expect(html).not.toContain(PASSWORD)
    expect((await welcome(link, { email: newEmail() })).status).toBe(303)
  })

  it('for one address is refused to another', async () => {
    const email = newEmail()
    const link = await invite({ email })
    const other = await welcome(link, { email: newEmail() })
    expect(other.status).toBe(422)
    expect(await other.text()).toContain('This link is for another e-mail address.')
    expect((await welcome(link, { email })).status).toBe(303)
  })

  it.each([
    ['m\u00FCnchen.example', 'xn--mnchen-3ya.example'],
    ['xn--mnchen-3ya.example', 'm\u00FCnchen.example'],
  ])('for an address at %s is used at %s, and so is the sign-in', async (invited, typed) => {
    const local = crypto.randomUUID()
    const link = await invite({ email: normalEmail(`${local}@${invited}`) })
    expect((await welcome(link, { email: `${local}@${typed}` })).status).toBe(303)
    const signIn = (host: string) =>
      t.send('POST', '/sign-in', { form: { email: `${local}@${host}`, password: PASSWORD } })
    expect([(await signIn(invited)).status, (await signIn(typed)).status]).toEqual([303, 303])
    const again = await welcome(await invite(), { email: `${local}@${invited}` })
    expect(again.status).toBe(409)
  })

  it('is used by members and links that were stored with the host in punycode', async () => {
    const email = `${crypto.randomUUID()}@xn--mnchen-3ya.example`
    const shown = email.replace('xn--mnchen-3ya', 'm\u00FCnchen')
    await t.insertMember(email)
    const signIn = await t.send('POST', '/sign-in', { form: { email: shown, password: PASSWORD } })
    expect(signIn.status).toBe(303)
    const token = tokenSetBy(signIn)
    const link = await invite({ email, accountId: t.otherAccountId })
    const joined = await t.send('POST', '/welcome/join', { token, form: { link } })
    expect(joined.status).toBe(303)
  })

  const ask = async (link: string, token: string | null = null) => {
    const response = await t.send('POST', '/welcome/invitation', { form: { link }, token })
    return [response.status, await response.json()]
  }

  it('says to the holder of its link which account, role and inviter it is for', async () => {
    const email = newEmail()
    expect(await ask(await invite({ email }))).toEqual([
      200,
      {
        facts: [
          { label: 'Account', value: 'Test' },
          { label: 'Your role', value: 'Editor', detail: expect.stringContaining('videos') },
          { label: 'Invited by', value: 'owner@site.example' },
        ],
        text: 'Choose how you will sign in.',
        email,
      },
    ])
    const ofOperator = await ask(await invite({ role: 'owner', by: operator }))
    expect(JSON.stringify(ofOperator)).toContain('"value":"The operator of this installation"')
    const token = await t.startSession(t.members.stranger.id)
    expect(await ask(await invite({ email }), token)).toMatchObject([
      200,
      { text: 'This link is for another e-mail address.' },
    ])
  })

  it('says to the first owner of an account what it makes of them', async () => {
    const { id: accountId } = await createAccountFixture(t.db, t.masterKeys)
    const first = { role: 'owner', by: operator, accountId } as const
    expect(await ask(await invite(first))).toMatchObject([
      200,
      { text: expect.stringContaining('You are the first owner of this account') },
    ])
    await welcome(await invite(first), { email: newEmail() })
    expect(await ask(await invite(first))).toMatchObject([
      200,
      { text: 'Choose how you will sign in.' },
    ])
  })

  it('of the operator says for whose address it sets a new password; one of a member never', async () => {
    const { email } = t.members.reader
    expect(await ask(await invite({ email, by: operator }))).toMatchObject([
      200,
      {
        text: `This link sets a new password for \u2068${email}\u2069.`,
        replaced: {
          text: expect.stringContaining('your new password replaces it'),
          lines: expect.arrayContaining(['Passkeys to be removed: 0']),
          submit: 'Replace the sign-in',
        },
      },
    ])
    // Whether an address has a sign-in is nothing for other members.
    const ofMember = await ask(await invite({ email, accountId: t.otherAccountId }))
    expect(ofMember).toMatchObject([200, { text: 'Choose how you will sign in.' }])
    expect(JSON.stringify(ofMember)).not.toContain('replaced')
  })

  it('that is wrong or used says nothing of the account', async () => {
    const used = await invite({ email: newEmail() })
    await t.execute(
      'update invitation set used_at = now() where id = (select max(id) from invitation)',
    )
    for (const link of [used, 'a'.repeat(43), ''])
      expect(await ask(link)).toEqual([
        404,
        {
          title: 'This link cannot be used',
          text: expect.stringContaining('has already been used, has expired or is incomplete.'),
        },
      ])
  })

  it('of a member asks a person who has a sign-in to use it, and then joins', async () => {
    const link = await invite({ role: 'owner', accountId: t.otherAccountId })
    const email = t.members.reader.email
    const attempt = await welcome(link, { email, password: 'a password of the attacker' })
    expect([attempt.status, tokenSetBy(attempt)]).toEqual([409, null])
    const html = await attempt.text()
    expect(html).toContain(`name="invitation" value="${link}"`)
    expect(html).toContain('Your name does not change.')
    expect(await roleOf(email, t.otherAccountId)).toBeNull()
    const joined = await t.send('POST', '/sign-in', {
      form: { email, password: PASSWORD, invitation: link },
    })
    expect(joined.headers.get('Location')).toBe(`/accounts/${t.otherAccountId}`)
    expect(await roleOf(email, t.otherAccountId)).toBe('owner')
  })

  it('of the operator says that the address has a member, and what a new password ends', async () => {
    const { id, email } = await t.insertMember(newEmail())
    const before = await t.startSession(id)
    const passkey = { memberId: id, publicKey: new Uint8Array(8), counter: 0, transports: [] }
    await insertPasskey(t.em(), { ...passkey, id: crypto.randomUUID(), name: 'Laptop' })
    const link = await invite({ role: 'owner', by: operator, accountId: t.otherAccountId, email })
    const password = 'a new one that is long'
    const asked = await welcome(link, { email, password })
    expect([asked.status, tokenSetBy(asked)]).toEqual([409, null])
    const html = await asked.text()
    expect(html).toContain('Passkeys to be removed: 1')
    expect(html).toContain('Sessions to be ended: 1')
    expect(html).toContain('Accounts that come with it: \u2068Test\u2069')
    expect(html).toContain(`name="replaces" value="${email}"`)
    expect(html).not.toContain(password)
    // What was agreed for another address does not count.
    const other = await welcome(link, { email, password, replaces: newEmail() })
    expect(other.status).toBe(409)
    expect((await t.send('GET', '/', { token: before })).headers.get('Location')).not.toBe(
      '/sign-in',
    )
    expect(await countPasskeys(t.em(), id)).toBe(1)

    expect((await welcome(link, { email, password, replaces: email })).status).toBe(303)
    expect((await t.send('GET', '/', { token: before })).headers.get('Location')).toBe('/sign-in')
    expect(await countPasskeys(t.em(), id)).toBe(0)
    const signIn = (typed: string) =>
      t.send('POST', '/sign-in', { form: { email, password: typed } })
    expect((await signIn(PASSWORD)).status).toBe(401)
    expect((await signIn(password)).status).toBe(303)
    expect(await roleOf(email, t.otherAccountId)).toBe('owner')
    const names = await t.execute(
      `select name, after from member join audit_entry on actor_id = member.id
       where email = ? and action = 'member.rename' and account_id = ?`,
      [email, t.otherAccountId],
    )
    expect(names).toEqual([{ name: 'Anna', after: { name: 'Anna' } }])
  })

  it('lets a signed-in member join with one click', async () => {
    const { id, email } = await t.insertMember(newEmail())
    const token = await t.startSession(id)
    const page = await (await t.send('GET', '/welcome', { token })).text()
    expect(page).toContain(email)
    const link = await invite({ accountId: t.otherAccountId, role: 'reader' })
    const join = () => t.send('POST', '/welcome/join', { token, form: { link } })
    expect((await join()).headers.get('Location')).toBe(`/accounts/${t.otherAccountId}`)
    expect(await roleOf(email, t.otherAccountId)).toBe('reader')
    expect((await join()).status).toBe(404)
  })

  it('lets only the member join whom it names, not one who has signed in in another tab since', async () => {
    const [shown, other] = [await t.insertMember(newEmail()), await t.insertMember(newEmail())]
    const link = await invite({ accountId: t.otherAccountId })
    const open = async (token: string) => (await t.send('GET', '/welcome', { token })).text()
    const join = (token: string, page: string) => {
      const [, named = ''] = /name="member" value="(\d+)"/.exec(page) ?? []
      return t.send('POST', '/welcome/join', { token, form: { link, member: named } })
    }
    const page = await open(await t.startSession(shown.id))
    const token = await t.startSession(other.id)
    const refused = await join(token, page)
    expect(refused.status).toBe(409)
    expect(await roleOf(other.email, t.otherAccountId)).toBeNull()
    const again = await refused.text()
    for (const text of [other.email, `value="${link}"`]) expect(again).toContain(text)
    expect((await join(token, again)).status).toBe(303)
    expect(await roleOf(other.email, t.otherAccountId)).toBe('editor')
  })

  it('asks a person whose session has ended to sign in, and keeps the link', async () => {
    const link = await invite()
    const response = await t.send('POST', '/welcome/join', { form: { link } })
    expect(response.status).toBe(401)
    expect(await response.text()).toContain(`name="invitation" value="${link}"`)
  })

  it.each(['', 'x', 'a'.repeat(43), 'a'.repeat(5000)])(
    'refuses the token %p before it hashes a password',
    async (link) => expect((await welcome(link)).status).toBe(404),
  )

  it('leaves no token and no password in the log', async () => {
    const link = await invite()
    await welcome(link, { email: newEmail() })
    for (const secret of [link, PASSWORD]) expect(t.logged()).not.toContain(secret)
  })

  it('shows hostile text as text', async () => {
    const response = await welcome(await invite(), { name: '<img src=x>', password: 'short' })
    expect(await response.text()).toContain('value="&lt;img src=x&gt;"')
  })
})
