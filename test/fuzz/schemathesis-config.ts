import type { KnownValues } from './fill-account.ts'

/**
 * Returns the configuration of Schemathesis as TOML: ids and names that exist, which it uses for most
 * parameters.
 */
export function schemathesisConfig(known: KnownValues): string {
  const dictionaries = Object.entries(known).map(
    ([name, values]) => `${name} = { values = ${JSON.stringify(values)} }`,
  )
  return ['[dictionaries]', ...dictionaries, ...BINDINGS.map(bindingOf), ''].join('\n')
}

const bindingOf = ({ paths, parameters }: Binding): string =>
  [
    '[[operations]]',
    `include-path-regex = ${JSON.stringify(paths)}`,
    // Keeps the known resources: only resources that the stateful tests create are deleted.
    'exclude-method = ["DELETE"]',
    '[operations.parameters]',
    ...Object.entries(parameters).map(
      ([name, dictionary]) =>
        `"${name}" = { dictionary = "${dictionary}", probability = ${PROBABILITY} }`,
    ),
  ].join('\n')

/** Probability of a known value instead of a generated one, which mostly gives 404. */
const PROBABILITY = 0.9

/** The checks that are off, each with its reason; all others are on. */
export const CHECKS_OFF: Record<string, string> = {
  positive_data_acceptance:
    'a document cannot say that a link must be reachable, a folder exist, a chapter end after it ' +
    'starts, two cursors not meet, a range have at most a year, text no NUL, an Idempotency-Key one body',
  ensure_resource_availability:
    'a repeated Idempotency-Key gets the resource of the first request, even after its deletion',
}

interface Binding {
  paths: string
  parameters: Record<string, keyof KnownValues>
}

/** Which parameters take values from which dictionary, by path. */
const BINDINGS: Binding[] = [
  {
    paths: '^/v1/videos$',
    parameters: {
      'body.source_url': 'sources',
      'body.folder_id': 'folders',
      'query.folder_id': 'folders',
      'query.starting_after': 'videos',
      'query.ending_before': 'videos',
    },
  },
  {
    paths: String.raw`^/v1/videos/\{id\}`,
    parameters: {
      'path.id': 'videos',
      'path.language_code': 'languages',
      'path.chapter_id': 'chapters',
      'path.moment_id': 'moments',
      'body.folder_id': 'folders',
      'body.source_url': 'tracks',
    },
  },
  {
    paths: '^/v1/folders',
    parameters: { 'path.id': 'folders', 'query.starting_after': 'folders' },
  },
  { paths: '^/v1/webhook-endpoints', parameters: { 'path.id': 'endpoints', 'body.url': 'hooks' } },
  {
    paths: '^/v1/webhook-deliveries',
    parameters: {
      'path.id': 'deliveries',
      'query.endpoint_id': 'endpoints',
      'query.starting_after': 'deliveries',
      'query.ending_before': 'deliveries',
    },
  },
  {
    paths: '^/v1/events',
    parameters: {
      'path.id': 'events',
      'query.starting_after': 'events',
      'query.ending_before': 'events',
      'query.wait_seconds': 'waits',
    },
  },
]
