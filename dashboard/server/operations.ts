import { OPERATIONS } from '../../api/operations.ts'
import type { Operation } from '../../http/operation.ts'
import { auditOperations } from './operations/audit.ts'
import { deliveryOperations } from './operations/deliveries.ts'
import { developerOperations } from './operations/developers.ts'
import { domainOperations } from './operations/domains.ts'
import { editOperations } from './operations/edits.ts'
import { invitationOperations } from './operations/invitations.ts'
import { keyOperations } from './operations/keys.ts'
import { meOperations } from './operations/me.ts'
import { memberOperations } from './operations/members.ts'
import { operatorOperations } from './operations/operators.ts'
import { overviewOperations } from './operations/overview.ts'
import { passkeyOperations } from './operations/passkeys.ts'
import { paymentOperations } from './operations/payments.ts'
import { playOperations } from './operations/play.ts'
import { playingOperations } from './operations/playing.ts'
import { posterOperations } from './operations/poster.ts'
import { previewTicketOperations } from './operations/preview-tickets.ts'
import { progressOperations } from './operations/progress.ts'
import { recordStoreOperations } from './operations/record-store.ts'
import { savedViewOperations } from './operations/saved-views.ts'
import { securityEventOperations } from './operations/security-events.ts'
import { settingsOperations } from './operations/settings.ts'
import { signingSecretOperations } from './operations/signing-secret.ts'
import { timelineOperations } from './operations/timeline.ts'
import { videoOperations } from './operations/videos.ts'
import { viewerOperations } from './operations/viewers.ts'
import { webhookSecretOperations } from './operations/webhook-secrets.ts'

/** The operations that only the dashboard has, below `/api/accounts/{account}`. */
export const DASHBOARD_OPERATIONS: readonly Operation[] = [
  ...overviewOperations,
  ...videoOperations,
  ...editOperations,
  ...playOperations,
  ...posterOperations,
  ...timelineOperations,
  ...progressOperations,
  ...settingsOperations,
  ...domainOperations,
  ...previewTicketOperations,
  ...signingSecretOperations,
  ...keyOperations,
  ...viewerOperations,
  ...playingOperations,
  ...securityEventOperations,
  ...paymentOperations,
  ...memberOperations,
  ...invitationOperations,
  ...auditOperations,
  ...developerOperations,
  ...deliveryOperations,
  ...webhookSecretOperations,
  ...recordStoreOperations,
  ...meOperations,
  ...passkeyOperations,
  ...savedViewOperations,
  ...operatorOperations,
]

/** The dashboard has its own lists of videos and deliveries, and deletes videos without an event. */
const REPLACED: readonly string[] = ['deleteVideo', 'listVideos', 'listWebhookDeliveries']

/** Operations of /v1 about secrets: a member confirms them, as those about the dashboard's own. */
const CONFIRMED: readonly string[] = ['rotateWebhookSecret', 'expirePreviousWebhookSecrets']

/** All operations of the dashboard: those of /v1 that it does not replace, and its own. */
export const MOUNTED_OPERATIONS: readonly Operation[] = [
  ...OPERATIONS.filter(({ id }) => !REPLACED.includes(id)).map((one) =>
    CONFIRMED.includes(one.id) ? { ...one, isElevated: true } : one,
  ),
  ...DASHBOARD_OPERATIONS,
]
