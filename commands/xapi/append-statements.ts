import type { LockedSession } from '../../db/audience/sessions-to-count.ts'
import type { EntityManager } from '../../db/database.ts'
import { insertStatements } from '../../db/xapi/write-statements.ts'
import { creditedMeasures } from '../../domain/audience/fold-sessions.ts'
import {
  completionFacts,
  isNews,
  mayBeStated,
  sessionFacts,
  type Statement,
  type StatementFacts,
  type StatementVerb,
} from '../../domain/xapi/statement-facts.ts'
import { nameUuid } from '../../security/name-uuid.ts'

/** A viewer has completed a video by this session. */
export interface Completion {
  session: LockedSession
  /** What the viewer has watched of the video, in all sessions. */
  parts: string | null
  watchedMs: number
}

/**
 * Writes what the record stores of accounts are to learn of sessions that are counted (ADR 0067): that a session has ended, with its totals, and that its
 * viewer has completed the video. Call it in the transaction that counts them. The id of a statement follows from its fact, so a session that is
 * counted twice is stated once.
 */
export async function appendStatements(
  tx: EntityManager,
  sessions: readonly LockedSession[],
  completions: readonly Completion[],
): Promise<void> {
  const completed = completions
    .filter(({ session }) => mayBeStated(session))
    .map((completion) => completedStatement(completion))
  const terminated = sessions
    .filter((session) => mayBeStated(session))
    .map((session) => ({ ...session, measures: creditedMeasures(session) }))
    .filter((session) => isNews(session))
    .map((session) => terminatedStatement(session))
  await insertStatements(
    tx,
    [...completed, ...terminated].toSorted((a, b) => a.atMs - b.atMs),
  )
}

const terminatedStatement = (session: LockedSession): Statement =>
  statementOf(session, 'terminated', {
    name: `${session.id} terminated ${session.measures.watchedMs}`,
    facts: sessionFacts(session),
  })

/** Once for each viewer and video. */
const completedStatement = ({ session, ...watched }: Completion): Statement =>
  statementOf(session, 'completed', {
    name: `${registrationName(session)} completed`,
    facts: completionFacts({ ...session, measures: creditedMeasures(session) }, watched),
  })

const statementOf = (
  { accountId, viewerId, videoId, lastSeenAtMs }: LockedSession,
  verb: StatementVerb,
  { name, facts }: { name: string; facts: StatementFacts },
): Statement => ({
  id: nameUuid(name),
  accountId,
  viewerId: viewerId ?? '',
  videoId,
  verb,
  atMs: lastSeenAtMs,
  facts,
})

/** Returns the registration of a viewer and a video: all statements about both have it. */
export const registrationOf = (of: RegistrationOwner): string => nameUuid(registrationName(of))

type RegistrationOwner = Pick<LockedSession, 'accountId' | 'viewerId' | 'videoId'>

const registrationName = ({ accountId, videoId, viewerId }: RegistrationOwner): string =>
  `${accountId} ${videoId} ${viewerId}`
