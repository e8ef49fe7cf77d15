import type { SealedKind, SealedOwner } from '../../domain/sealed-value.ts'

/** A column of a key in the order of the pages, with its type in SQL. */
interface KeyColumn {
  column: string
  type: 'bigint' | 'text'
}

/** Where the values of one kind are stored. All texts are SQL that this file writes. */
export interface SealedColumn {
  table: string
  column: string
  /**
   * True if the column holds a JSON array of objects, each with its value in `sealed_secret`. The last
   * column of the key is then the position in the array.
   */
  isJson?: true
  /** Identifies a value within its kind. */
  key: readonly KeyColumn[]
  /** The columns that its context names. */
  ownerColumns: readonly string[]
  /** The owner, from the values of `ownerColumns` as text. */
  ownerOf: (values: readonly string[]) => SealedOwner
}

interface ColumnOf<Kind extends SealedKind> extends SealedColumn {
  ownerOf: (values: readonly string[]) => Extract<SealedOwner, { kind: Kind }>
}

const integer = (column: string): KeyColumn => ({ column, type: 'bigint' })
const text = (column: string): KeyColumn => ({ column, type: 'text' })

// A secret of an endpoint becomes a previous one, and the key of an upload that of a video, so a rotation reads these after it.
const COLUMNS: { [Kind in SealedKind]: ColumnOf<Kind> } = {
  'signing-secret': {
    table: 'account',
    column: 'sealed_signing_secret',
    key: [integer('id')],
    ownerColumns: ['id'],
    ownerOf: ([accountId]) => ({ kind: 'signing-secret', accountId: Number(accountId) }),
  },
  'endpoint-secret': {
    table: 'webhook_endpoint',
    column: 'sealed_secret',
    key: [integer('id')],
    ownerColumns: ['account_id'],
    ownerOf: ([accountId]) => ({ kind: 'endpoint-secret', accountId: Number(accountId) }),
  },
  'previous-endpoint-secret': {
    table: 'webhook_endpoint',
    column: 'previous_secrets',
    isJson: true,
    key: [integer('id'), integer('number')],
    ownerColumns: ['account_id'],
    ownerOf: ([accountId]) => ({ kind: 'previous-endpoint-secret', accountId: Number(accountId) }),
  },
  'record-store-password': {
    table: 'record_store',
    column: 'sealed_password',
    key: [integer('account_id')],
    ownerColumns: ['account_id'],
    ownerOf: ([accountId]) => ({ kind: 'record-store-password', accountId: Number(accountId) }),
  },
  'import-access': {
    table: 'video_import',
    column: 'sealed_access',
    key: [integer('id')],
    ownerColumns: ['account_id'],
    ownerOf: ([accountId]) => ({ kind: 'import-access', accountId: Number(accountId) }),
  },
  'content-key': {
    table: 'content_key',
    column: 'sealed_key',
    key: [text('video_id'), text('name')],
    ownerColumns: ['video_id', 'name'],
    ownerOf: ([videoId = '', name = '']) => ({ kind: 'content-key', videoId, name }),
  },
  'upload-source-key': {
    table: 'upload',
    column: 'sealed_key',
    key: [text('video_id')],
    ownerColumns: ['video_id'],
    ownerOf: ([videoId = '']) => ({ kind: 'upload-source-key', videoId }),
  },
  'source-key': {
    table: 'source_key',
    column: 'sealed_key',
    key: [text('video_id')],
    ownerColumns: ['video_id'],
    ownerOf: ([videoId = '']) => ({ kind: 'source-key', videoId }),
  },
  'upload-token': {
    table: 'upload',
    column: 'sealed_token',
    key: [text('video_id')],
    ownerColumns: ['video_id'],
    ownerOf: ([videoId = '']) => ({ kind: 'upload-token', videoId }),
  },
  'idempotent-answer': {
    table: 'idempotency_record',
    column: 'sealed_response',
    key: [integer('account_id'), text('route'), text('key')],
    ownerColumns: ['account_id', 'route', 'key'],
    ownerOf: ([accountId, route = '', key = '']) => ({
      kind: 'idempotent-answer',
      accountId: Number(accountId),
      route,
      key,
    }),
  },
}

/** Where the values of a kind are stored. */
export const sealedColumn = (kind: SealedKind): SealedColumn => COLUMNS[kind]

const isKind = (name: string): name is SealedKind => name in COLUMNS

/** Every kind of sealed value, in the order in which a rotation seals them again. */
export const SEALED_KINDS: readonly SealedKind[] = Object.keys(COLUMNS).filter(isKind)

/** The kind that a rotation seals again after this one, or first of all; null after the last. */
export const nextSealedKind = (kind: SealedKind | null): SealedKind | null =>
  SEALED_KINDS[kind === null ? 0 : SEALED_KINDS.indexOf(kind) + 1] ?? null
