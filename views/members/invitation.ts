import { z } from 'zod'
import type { Invitation } from '../../db/entities/member.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { deletedSchema, listSchema } from '../list.ts'
import { rowId, timestamp } from '../values.ts'
import { role } from './member.ts'

const facts = {
  id: rowId,
  object: z.literal('invitation'),
  role,
  email: z.string().nullable().meta({ description: 'Who alone may accept it; null: anyone.' }),
  invited_by: z.string(),
  created_at: timestamp('When the invitation was made.'),
  expires_at: timestamp('When the link stops working.'),
}

/** An invitation that was not accepted yet, without its link. */
const invitationSchema = z.strictObject(facts).meta({ id: 'Invitation' })

export const invitationListSchema = listSchema(invitationSchema).meta({ id: 'InvitationList' })
export const withdrawnInvitationSchema = deletedSchema('invitation', rowId).meta({
  id: 'WithdrawnInvitation',
})

/** A new invitation: the only response that contains the link. */
export const createdInvitationSchema = z
  .strictObject({
    ...facts,
    link: z.string().meta({ description: 'Works once, until `expires_at`; shown only now.' }),
  })
  .meta({ id: 'CreatedInvitation' })

/** An invitation without its link. */
export const invitationView = (invitation: Invitation): z.output<typeof invitationSchema> => ({
  id: invitation.id,
  object: 'invitation',
  role: invitation.role,
  email: invitation.email,
  invited_by: invitation.invitedBy,
  created_at: isoUtc(invitation.createdAt),
  expires_at: isoUtc(invitation.expiresAt),
})

/** A new invitation with its link. The token is in the fragment, which no server and no referrer gets. */
export const createdInvitationView = (
  invitation: Invitation,
  token: string,
  dashboardBase: string,
): z.output<typeof createdInvitationSchema> => ({
  ...invitationView(invitation),
  link: `${dashboardBase}/welcome#${token}`,
})
