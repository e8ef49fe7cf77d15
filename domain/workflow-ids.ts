/** One ingest workflow per video: a repeated start has no effect. */
export const videoWorkflowId = (videoId: string): string => `video-${videoId}`

/** One workflow per deletion. */
export const deletionWorkflowId = (videoId: string): string => `delete-video-${videoId}`

/** One workflow per delivery. */
export const deliveryWorkflowId = (deliveryId: number): string => `webhook-delivery-${deliveryId}`

/** One workflow per replay. */
export const replayWorkflowId = (replayId: number): string => `webhook-replay-${replayId}`

/** One workflow per import of videos. */
export const importWorkflowId = (importId: number): string => `import-videos-${importId}`

/** One workflow per uploaded poster. */
export const posterWorkflowId = (videoId: string, number: number): string =>
  `set-poster-${videoId}-${number}`

/** One workflow per endpoint at a time. */
export const endpointWorkflowId = (endpointId: number): string => `webhook-endpoint-${endpointId}`

/** One workflow per record store at a time. */
export const statementsWorkflowId = (accountId: number): string => `deliver-statements-${accountId}`

/** One workflow per deleted account. */
export const accountDeletionWorkflowId = (accountId: number): string =>
  `delete-account-${accountId}`

/** One rotation of the master key at a time. */
export const ROTATION_WORKFLOW_ID = 'rotate-master-key'

/** The namespace of deliveries beside that of all other workflows, unless the operator names another (ADR 0060). */
export const deliveriesNamespaceOf = (namespace: string): string => `${namespace}-deliveries`
