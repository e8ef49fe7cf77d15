/**
 * What a stored sealed value belongs to, by kind, with the data of its context. This union is the registry of
 * sealed values: `seal` accepts no other kind, and each kind must have its context
 * (`security/sealing/secret-contexts.ts`) and its column (`db/secrets/sealed-columns.ts`). The rotation of the master key,
 * its status and the checks of a start go through all of them.
 */
export type SealedOwner =
  | { kind: 'signing-secret'; accountId: number }
  | { kind: 'endpoint-secret'; accountId: number }
  | { kind: 'previous-endpoint-secret'; accountId: number }
  | { kind: 'record-store-password'; accountId: number }
  | { kind: 'import-access'; accountId: number }
  | { kind: 'content-key'; videoId: string; name: string }
  | { kind: 'source-key'; videoId: string }
  | { kind: 'upload-source-key'; videoId: string }
  | { kind: 'upload-token'; videoId: string }
  | { kind: 'idempotent-answer'; accountId: number; route: string; key: string }

export type SealedKind = SealedOwner['kind']
