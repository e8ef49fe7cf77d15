import type { DrmWords } from './drm-words.ts'

const words: DrmWords = {
  messages: {
    drm_device_revoked:
      'Este dispositivo não pode mais reproduzir vídeos protegidos. Use outro dispositivo.',
    drm_security_too_low:
      'Este dispositivo não protege os vídeos o suficiente para este. Tente outro navegador (Edge no Windows, Safari em dispositivos Apple) ou outro dispositivo.',
    drm_output_blocked:
      'A tela conectada não protege a imagem (HDCP). Desconecte telas externas e adaptadores, pare de compartilhar a tela e recarregue.',
    drm_unavailable:
      'O serviço de licenças não está respondendo. A reprodução começa assim que ele responder.',
    drm_expired: 'Sua licença para este vídeo expirou. Recarregue a página para continuar.',
    drm_no_cdm:
      'Este navegador não tem uma proteção de conteúdo que reproduza este vídeo, ou ela está desativada. Permita conteúdo protegido (DRM) nas configurações ou use Chrome, Edge, Firefox ou Safari.',
  },
  obstacles: {
    hdcp: 'A tela conectada não tem HDCP',
    hardware: 'Este navegador ou dispositivo não tem proteção por hardware',
    licence: 'Sem licença para este dispositivo',
  },
}

export default words
