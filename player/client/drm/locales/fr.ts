import type { DrmWords } from './drm-words.ts'

const words: DrmWords = {
  messages: {
    drm_device_revoked:
      'Cet appareil ne peut plus lire de vidéos protégées. Veuillez utiliser un autre appareil.',
    drm_security_too_low:
      'Cet appareil ne protège pas assez les vidéos pour celle-ci. Essayez un autre navigateur (Edge sous Windows, Safari sur les appareils Apple) ou un autre appareil.',
    drm_output_blocked:
      'L’écran connecté ne protège pas l’image (HDCP). Débranchez les écrans externes et les adaptateurs, arrêtez le partage d’écran, puis rechargez.',
    drm_unavailable:
      'Le service de licences ne répond pas pour le moment. La lecture commencera dès qu’il répondra.',
    drm_expired: 'Votre licence pour cette vidéo a expiré. Rechargez la page pour continuer.',
    drm_no_cdm:
      'Ce navigateur n’a pas de protection de contenu capable de lire cette vidéo, ou elle est désactivée. Autorisez le contenu protégé (DRM) dans ses réglages, ou utilisez Chrome, Edge, Firefox ou Safari.',
  },
  obstacles: {
    hdcp: 'L’écran connecté n’a pas HDCP',
    hardware: 'Ce navigateur ou cet appareil n’a pas de protection matérielle',
    licence: 'Pas de licence pour cet appareil',
  },
}

export default words
