import type { DrmWords } from './drm-words.ts'

const words: DrmWords = {
  messages: {
    drm_device_revoked:
      'Este dispositivo ya no puede reproducir vídeos protegidos. Utilice otro dispositivo.',
    drm_security_too_low:
      'Este dispositivo no protege los vídeos lo suficiente para este. Pruebe otro navegador (Edge en Windows, Safari en dispositivos Apple) u otro dispositivo.',
    drm_output_blocked:
      'La pantalla conectada no protege la imagen (HDCP). Desconecte pantallas externas y adaptadores, deje de compartir la pantalla y recargue.',
    drm_unavailable:
      'El servicio de licencias no responde en este momento. La reproducción empezará en cuanto responda.',
    drm_expired: 'Su licencia para este vídeo ha caducado. Recargue la página para continuar.',
    drm_no_cdm:
      'Este navegador no tiene una protección de contenido que pueda reproducir este vídeo, o está desactivada. Permita el contenido protegido (DRM) en sus ajustes o utilice Chrome, Edge, Firefox o Safari.',
  },
  obstacles: {
    hdcp: 'La pantalla conectada no tiene HDCP',
    hardware: 'Este navegador o dispositivo no tiene protección por hardware',
    licence: 'Sin licencia para este dispositivo',
  },
}

export default words
