import type { OverviewWords } from './en.ts'

export const pt: OverviewWords = {
  title: 'Visão geral',
  steps: {
    title: 'Primeiros passos',
    progress: '{done} de {all} concluídos',
    done: 'Concluído',
    open: 'Pendente',
    dismiss: 'Ocultar',
    video_added: {
      title: 'Adicionar um vídeo',
      text: 'Cole o link de um arquivo de vídeo.',
      link: 'Adicionar vídeo',
    },
    video_ready: {
      title: 'Esperar até ficar pronto',
      text: 'Ele é baixado, codificado e criptografado. Leva mais ou menos a duração do vídeo.',
      link: 'Ver o progresso',
    },
    played_elsewhere: {
      title: 'Incorporar no seu site',
      text: 'Copie o código da página do vídeo e reproduza-o na sua própria página.',
      link: 'Escolher um vídeo',
    },
    access_restricted: {
      title: 'Restringir quem pode assistir',
      text: 'Exija tokens de espectador ou permita apenas os seus domínios.',
      link: 'Restringir domínios',
    },
    webhook_delivered: {
      title: 'Receber webhooks',
      text: 'O seu servidor fica sabendo do que acontece. Concluído com a primeira entrega bem-sucedida.',
      link: 'Adicionar destino',
    },
    colleague_invited: {
      title: 'Convidar um colega',
      text: 'Como proprietário, editor ou leitor desta conta.',
      link: 'Convidar',
    },
  },
  playing: 'Em reprodução',
  security: 'Eventos de segurança, últimas {hours} h',
  failed: 'Vídeos com falha, últimos {days} dias',
  endpoints: 'Destinos de webhook com falha',
  calm: 'Nada precisa da sua atenção',
  calmText: 'Vídeos com falha, destinos com falha e limites quase esgotados aparecem aqui.',
  failures: 'Tentativas seguidas com falha: {number}',
  disabled: 'Desativado',
  all: 'Mostrar todos',
  plan: 'Plano',
  nearly: '{limit}: {share} usado',
  planEnded: 'O plano terminou: novos vídeos são recusados.',
  planEnds: 'O plano termina {time}.',
}
