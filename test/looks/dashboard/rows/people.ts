import { createKey } from '../../../../commands/accounts/api-keys.ts'
import type { Role } from '../../../../domain/accounts/roles.ts'
import { insertRow } from '../../../fixtures/insert-row.ts'
import {
  DAY,
  hexOf,
  HOUR,
  insertOwn,
  minutesBefore,
  turn,
  type FilledAccount,
} from './filled-account.ts'

const COLLEAGUES: readonly (readonly [name: string, email: string, role: Role])[] = [
  ['Berta Brandt', 'berta.brandt@school.example', 'owner'],
  ['ليلى حداد', 'laila.haddad@school.example', 'editor'],
  ['Konstantin von Hohenlohe-Waldenburg', 'k.hohenlohe@school.example', 'editor'],
  ['Mia', 'mia@school.example', 'reader'],
  ['', 'intern@school.example', 'reader'],
]

/** Inserts colleagues and open invitations. */
export async function insertColleagues(account: FilledAccount): Promise<void> {
  const { t, accountId } = account
  for (const [index, [name, email, role]] of COLLEAGUES.entries()) {
    const { id } = await t.insertMember(email, role, accountId)
    await t.execute('update member set name = ? where id = ?', [name, id])
    await t.execute('update membership set created_at = ? where member_id = ?', [
      minutesBefore(account, (70 - 11 * index) * DAY),
      id,
    ])
  }
  for (const [email, role] of [
    ['noor@school.example', 'editor'],
    [null, 'reader'],
  ] as const)
    await insertOwn(account, 'invitation', {
      token_hash: hexOf(`${accountId} invitation ${email}`, 64),
      role,
      email,
      invited_by: 'Ada Lindqvist',
      is_from_operator: false,
      created_at: minutesBefore(account, 30 * HOUR),
      expires_at: minutesBefore(account, -5 * DAY),
    })
}

const CHANGES = [
  ['video.create', 'Opening night', null, { title: 'Opening night' }],
  ['settings.update', '', { 'watermark.enabled': false }, { 'watermark.enabled': true }],
  ['video.update', 'Lesson 3', { title: 'lesson3.mp4' }, { title: 'Lesson 3: Light and colour' }],
  ['api_key.create', 'Website', null, { name: 'Website' }],
  ['invitation.create', 'noor@school.example', null, { role: 'editor' }],
  ['webhook_endpoint.update', '2', { is_active: false }, { is_active: true }],
  ['member.sign_in', 'ada@school.example', null, null],
] as const

/** Inserts what the members have changed. */
export async function insertAudit(account: FilledAccount, count: number): Promise<void> {
  const json = (fields: object | null): string | null => fields && JSON.stringify(fields)
  for (let index = 0; index < count; index += 1) {
    const [action, subject, before, after] = turn(CHANGES, index)
    await insertRow(account.t, 'audit_entry', {
      account_id: account.accountId,
      actor_kind: index % 5 === 4 ? 'key' : 'member',
      actor_name: index % 5 === 4 ? 'Website' : turn(COLLEAGUES, index)[0] || 'Ada Lindqvist',
      action,
      subject,
      before: json(before),
      after: json(after),
      created_at: minutesBefore(account, (count - index) * 5 * HOUR),
    })
  }
}

/** The key of the account that a website uses. */
export const KEY_NAME = 'Website'

export async function insertKeys({ t, accountId }: FilledAccount): Promise<void> {
  for (const name of ['Old import script', KEY_NAME])
    await createKey(t.em(), { accountId, name, scopes: ['videos:read', 'videos:write'] })
}
