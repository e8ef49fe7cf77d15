import { COMPLETE_PARTS, PARTS } from '../audience/session-measures.ts'
import { embedUrl } from '../playback/embed-url.ts'
import type { Statement, StatementFacts, StatementVerb } from './statement-facts.ts'

/** The version of xAPI that statements have. */
export const XAPI_VERSION = '1.0.3'

const PROFILE = 'https://w3id.org/xapi/video'
const VERBS = 'http://adlnet.gov/expapi/verbs'
const extension = (name: string): string => `${PROFILE}/extensions/${name}`

/** Where statements place viewers and videos. */
export interface StatementPlaces {
  /** The IRI of the system in which viewer ids are names. */
  homePage: string
  /** Where viewers reach the player, without a slash at the end. */
  embedBase: string
  /** A UUID, the same for each viewer and video. */
  registration: string
}

/** Returns a statement of the xAPI Video Profile. */
export function statementJson(
  { id, accountId, viewerId, videoId, verb, atMs, facts }: Statement,
  { homePage, embedBase, registration }: StatementPlaces,
): object {
  return {
    id,
    actor: actorOf(homePage, viewerId),
    verb: verbOf(verb),
    object: {
      objectType: 'Activity',
      id: embedUrl(embedBase, videoId, accountId),
      definition: {
        type: `${PROFILE}/activity-type/video`,
        // No language is known of a title.
        ...(facts.title !== '' && { name: { und: facts.title } }),
      },
    },
    result: resultOf(verb, facts),
    context: {
      registration,
      contextActivities: { category: [{ objectType: 'Activity', id: PROFILE }] },
      extensions: {
        [extension('session-id')]: facts.sessionId,
        ...(facts.lengthSeconds !== null && { [extension('length')]: facts.lengthSeconds }),
        ...(facts.speed !== null && { [extension('speed')]: `${facts.speed}x` }),
        [extension('completion-threshold')]: COMPLETE_PARTS / PARTS,
      },
    },
    timestamp: new Date(atMs).toISOString(),
  }
}

/** Returns a statement with which an owner tries out a record store. It is about no viewer and no video. */
export const testStatementJson = (
  { id, atMs }: Pick<Statement, 'id' | 'atMs'>,
  { homePage, embedBase }: Pick<StatementPlaces, 'homePage' | 'embedBase'>,
): object => ({
  id,
  actor: actorOf(homePage, 'test'),
  verb: verbOf('experienced'),
  object: {
    objectType: 'Activity',
    id: `${embedBase}/xapi-test`,
    definition: { name: { 'en-US': 'A test of this learning record store' } },
  },
  timestamp: new Date(atMs).toISOString(),
})

const actorOf = (homePage: string, name: string) => ({
  objectType: 'Agent',
  account: { homePage, name },
})

const verbOf = (verb: StatementVerb | 'experienced') => ({
  id: `${VERBS}/${verb}`,
  display: { 'en-US': verb },
})

const resultOf = (verb: StatementVerb, facts: StatementFacts) => ({
  ...(verb === 'completed' && { completion: true }),
  duration: `PT${Math.round(facts.watchedSeconds * 100) / 100}S`,
  extensions: {
    [extension('time')]: facts.timeSeconds,
    ...(facts.progress !== null && { [extension('progress')]: facts.progress }),
    ...(facts.playedSegments !== null && {
      [extension('played-segments')]: facts.playedSegments,
    }),
  },
})
