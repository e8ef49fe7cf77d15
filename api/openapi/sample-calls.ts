export interface SampleCall {
  /** The method of the client library; its arguments are the path's parameters, then the body or the query. */
  call: string
  body?: Record<string, unknown>
  query?: Record<string, unknown>
  /** The last argument as code, for what is no JSON: the bytes of a file, which curl reads from the path in `$PICTURE`. */
  picture?: string
}

const url = 'https://www.example.com/hooks/video'

/** For each operation id, the call of the client library and the input of the sample. */
export const SAMPLES: Record<string, SampleCall> = {
  createVideo: {
    call: 'videos.create',
    body: { source_url: 'https://files.example.com/video.mp4', title: 'Opening night' },
  },
  listVideos: { call: 'videos.list', query: { status: 'ready', title: 'opening', limit: 20 } },
  getVideo: { call: 'videos.get' },
  createUpload: {
    call: 'uploads.create',
    body: { filename: 'lesson-1.mp4', size_bytes: 104_857_600 },
  },
  listUploads: { call: 'uploads.list', query: { limit: 20 } },
  getUpload: { call: 'uploads.get' },
  cancelUpload: { call: 'uploads.cancel' },
  updateVideo: {
    call: 'videos.update',
    body: { title: 'Closing night', metadata: { course: '7' } },
  },
  deleteVideo: { call: 'videos.delete' },
  getVideoStatus: { call: 'videos.getStatus' },
  getVideoEmbed: { call: 'videos.getEmbed' },
  createPlaybackToken: {
    call: 'playbackTokens.create',
    body: { viewer_id: 'viewer-42', ttl_seconds: 3600 },
  },
  createImport: {
    call: 'imports.create',
    body: {
      lines: [
        {
          source_url: 'https://files.example.com/lesson-1.mp4',
          external_id: 'lesson-1',
          title: 'Lesson 1',
        },
      ],
    },
  },
  listImports: { call: 'imports.list' },
  getImport: { call: 'imports.get' },
  listImportLines: { call: 'imports.listLines', query: { state: 'failed' } },
  cancelImport: { call: 'imports.cancel' },
  createCaption: {
    call: 'captions.create',
    body: {
      language_code: 'en',
      label: 'English',
      content: 'WEBVTT\n\n00:00.000 --> 00:02.000\nHello.',
    },
  },
  listCaptions: { call: 'captions.list' },
  getCaption: { call: 'captions.get' },
  deleteCaption: { call: 'captions.delete' },
  search: { call: 'search', query: { q: 'light "turned into energy"', language: 'en' } },
  createChapter: { call: 'chapters.create', body: { title: 'Opening', start: 0, end: 42 } },
  listChapters: { call: 'chapters.list' },
  updateChapter: { call: 'chapters.update', body: { end: 40 } },
  deleteChapter: { call: 'chapters.delete' },
  uploadPoster: { call: 'posters.upload', picture: 'new Blob([/* JPEG, PNG or WebP */])' },
  getPosterUpload: { call: 'posters.getUpload' },
  createMoment: { call: 'moments.create', body: { label: 'The goal', timestamp: 61 } },
  listMoments: { call: 'moments.list' },
  deleteMoment: { call: 'moments.delete' },
  createFolder: { call: 'folders.create', body: { name: 'Autumn' } },
  listFolders: { call: 'folders.list', query: { limit: 50 } },
  getFolder: { call: 'folders.get' },
  renameFolder: { call: 'folders.rename', body: { name: 'Winter' } },
  deleteFolder: { call: 'folders.delete' },
  createWebhookEndpoint: {
    call: 'webhookEndpoints.create',
    body: { url, events: ['video.ready', 'video.failed'] },
  },
  listWebhookEndpoints: { call: 'webhookEndpoints.list' },
  getWebhookEndpoint: { call: 'webhookEndpoints.get' },
  updateWebhookEndpoint: { call: 'webhookEndpoints.update', body: { is_active: false } },
  deleteWebhookEndpoint: { call: 'webhookEndpoints.delete' },
  rotateWebhookSecret: { call: 'webhookEndpoints.rotateSecret', body: { overlap_seconds: 3600 } },
  expirePreviousWebhookSecrets: { call: 'webhookEndpoints.expirePreviousSecrets' },
  testWebhookEndpoint: { call: 'webhookEndpoints.test' },
  listWebhookDeliveries: { call: 'webhookDeliveries.list', query: { status: 'failed' } },
  getWebhookDelivery: { call: 'webhookDeliveries.get' },
  retryWebhookDelivery: { call: 'webhookDeliveries.retry' },
  createWebhookReplay: {
    call: 'webhookReplays.create',
    body: { since: '2026-01-31T06:00:00Z', status: 'failed' },
  },
  listWebhookReplays: { call: 'webhookReplays.list' },
  getWebhookReplay: { call: 'webhookReplays.get' },
  cancelWebhookReplay: { call: 'webhookReplays.cancel' },
  listEvents: { call: 'events.list', query: { type: 'video.failed', limit: 20 } },
  getEvent: { call: 'events.get' },
  listEventTypes: { call: 'eventTypes.list' },
  getAudience: {
    call: 'audience.get',
    query: { from: '2026-01-01', to: '2026-01-31', interval: 'day' },
  },
  listAudienceVideos: { call: 'audience.listVideos', query: { order: 'watch_seconds' } },
  getAudienceBreakdown: { call: 'audience.getBreakdown', query: { kind: 'host' } },
  getRetention: { call: 'videos.getRetention' },
  listViewers: { call: 'viewers.list', query: { prefix: 'student-' } },
  eraseViewer: { call: 'viewers.erase', body: { viewer_id: 'student-42' } },
  listViewerProgress: { call: 'viewerProgress.list', query: { viewer_id: 'student-42' } },
  getPlaybackReport: { call: 'playbackReports.get' },
  getAccount: { call: 'account.get' },
  getPlan: { call: 'plan.get' },
  getUsage: { call: 'usage.get', query: { start: '2026-01-01', end: '2026-01-31' } },
  getPlayerSettings: { call: 'settings.getPlayer' },
  listSecurityEvents: {
    call: 'securityEvents.list',
    query: { event_type: 'viewer_token_required' },
  },
}
