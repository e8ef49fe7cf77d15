import type { DrmWords } from './drm-words.ts'

const words: DrmWords = {
  messages: {
    drm_device_revoked:
      'Dieses Gerät darf keine geschützten Videos mehr abspielen. Bitte verwenden Sie ein anderes Gerät.',
    drm_security_too_low:
      'Dieses Gerät schützt Videos nicht stark genug für dieses Video. Versuchen Sie einen anderen Browser (Edge unter Windows, Safari auf Apple-Geräten) oder ein anderes Gerät.',
    drm_output_blocked:
      'Der angeschlossene Bildschirm schützt das Bild nicht (HDCP). Trennen Sie externe Bildschirme und Adapter, beenden Sie die Bildschirmfreigabe und laden Sie dann neu.',
    drm_unavailable:
      'Der Lizenzdienst antwortet gerade nicht. Die Wiedergabe beginnt, sobald er antwortet.',
    drm_expired:
      'Ihre Lizenz für dieses Video ist abgelaufen. Laden Sie die Seite neu, um fortzufahren.',
    drm_no_cdm:
      'Dieser Browser hat keinen Inhaltsschutz, der dieses Video abspielen kann, oder er ist ausgeschaltet. Erlauben Sie geschützte Inhalte (DRM) in den Einstellungen, oder verwenden Sie Chrome, Edge, Firefox oder Safari.',
  },
  obstacles: {
    hdcp: 'Der angeschlossene Bildschirm hat kein HDCP',
    hardware: 'Dieser Browser oder dieses Gerät hat keinen Hardware-Schutz',
    licence: 'Für dieses Gerät nicht lizenziert',
  },
}

export default words
