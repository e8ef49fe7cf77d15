import type { DrmWords } from './drm-words.ts'

const words: DrmWords = {
  messages: {
    drm_device_revoked:
      'This device may no longer play protected videos. Please use another device.',
    drm_security_too_low:
      'This device is not secure enough to play this video. Try another browser (Edge on Windows, Safari on Apple devices) or another device.',
    drm_output_blocked:
      'The connected screen does not protect the picture (HDCP). Disconnect external screens and adapters and end screen sharing, then reload.',
    drm_unavailable:
      'The licence service is not responding. Playback will start as soon as it does.',
    drm_expired: 'Your licence for this video has expired. Reload the page to continue.',
    drm_no_cdm:
      'This browser has no content protection that can play this video, or it is switched off. Allow protected content (DRM) in its settings, or use Chrome, Edge, Firefox or Safari.',
  },
  obstacles: {
    hdcp: 'The connected screen has no HDCP',
    hardware: 'This browser or device has no hardware protection',
    licence: 'Not licensed for this device',
  },
}

export default words
