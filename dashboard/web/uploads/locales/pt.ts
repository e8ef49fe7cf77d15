import { plural } from '../../locales/plural.ts'
import type { UploadsWords } from './en.ts'

export const pt: UploadsWords = {
  title: 'Envios',
  sending: plural({
    one: 'Enviando {number} arquivo',
    other: 'Enviando {number} arquivos',
  }),
  asking: plural({
    one: '{number} envio espera por você',
    other: '{number} envios esperam por você',
  }),
  finished: 'Todos os envios terminaram',
  show: 'Mostrar os envios',
  hide: 'Ocultar os envios',
  close: 'Fechar os envios',
  progress: 'Progresso de {name}',
  total: 'Progresso de todos os envios',
  speed: '{size}/s',
  states: {
    waiting: 'Aguardando',
    starting: 'Começando',
    finishing: 'Terminando',
    paused: 'Pausado em {percent}',
    choose: 'Pausado em {percent}: escolha o mesmo arquivo de novo para continuar',
    chooseFirst: 'Ainda não enviado: escolha o mesmo arquivo de novo',
    done: 'Enviado',
  },
  delays: {
    network: 'Sem conexão. Continua sozinho.',
    'sign-in': 'Entre de novo, e continua.',
    server: 'O servidor não está pronto. Continua sozinho.',
  },
  actions: {
    pause: 'Pausar {name}',
    resume: 'Continuar {name}',
    retry: 'Tentar de novo: {name}',
    cancel: 'Cancelar {name}',
    dismiss: 'Tirar {name} da lista',
    choose: 'Escolher o arquivo',
  },
  otherFile: 'Este é outro arquivo. Escolha {name}, com {size}.',
  cancel: {
    title: 'Cancelar este envio?',
    text: '{size} de {name} já foram enviados. Eles são excluídos.',
    submit: 'Cancelar o envio',
    keep: 'Manter',
  },
  failures: {
    insufficient_storage:
      'O plano não tem armazenamento suficiente. Libere espaço ou mude de plano.',
    source_too_large: 'O arquivo é grande demais. Exporte-o menor.',
    too_many_uploads: 'A conta tem envios inacabados demais. Cancele alguns ou espere por outros.',
    no_active_plan: 'A conta não tem um plano ativo.',
    drm_provider_not_configured: 'O operador precisa configurar o Multi-DRM antes.',
    insufficient_role: 'Você não pode mais adicionar vídeos a esta conta.',
    folder_not_found: 'A pasta não existe mais. Cancele e escolha outra.',
    too_many_folders: 'A conta já tem o máximo de 1.000 pastas.',
    upload_not_found: 'O envio foi cancelado ou expirou. Tente de novo desde o começo.',
    file_unreadable: 'O arquivo foi movido, alterado ou excluído. Escolha-o de novo.',
  },
  failed: 'Não foi possível enviar ({code}).',
  refusals: {
    not_video: 'Este não é um arquivo de vídeo.',
    empty: 'O arquivo está vazio.',
    too_large: 'O arquivo é maior que {max}.',
    no_room: 'O plano só tem {room} livres.',
  },
  said: {
    added: plural({
      one: '{number} arquivo está sendo enviado',
      other: '{number} arquivos estão sendo enviados',
    }),
    done: '{name} foi enviado',
    failed: '{name} não foi enviado: {reason}',
    found: plural({
      one: '{number} envio está inacabado: escolha o arquivo dele de novo',
      other: '{number} envios estão inacabados: escolha os arquivos deles de novo',
    }),
  },
}
