import type { PageTexts } from './page-texts.ts'

export const pt: PageTexts = {
  forOwner: 'Para o responsável por este site',
  reportCode: 'Código',
  request: 'Requisição',
  copyDetails: 'Copiar detalhes',
  copied: 'Copiado',
  malformed: {
    title: 'Este endereço está incompleto',
    text: 'Ele não leva a nenhum vídeo. Volte à página de onde você veio.',
    owner:
      'Um endereço de incorporação termina em `/{video_id}/{base64_account_id}`: 20 caracteres hexadecimais e, em seguida, o id da conta em base64. Copie `embed_url` da API sem alterações:',
  },
  notFound: {
    title: 'Vídeo não encontrado',
    text: 'Este vídeo não existe ou foi excluído.',
    owner:
      'O endereço está bem formado, mas a conta não tem esse vídeo. Compare-o com o `embed_url` de:',
  },
  broken: {
    title: 'Algo deu errado',
    text: 'Não foi possível carregar o vídeo. Tente novamente em instantes.',
  },
  failed: {
    title: 'Este vídeo não pode ser reproduzido',
    text: 'Não foi possível processá-lo. Avise o responsável por este site.',
    owner:
      'O vídeo tem o estado `failed`, que não muda mais: crie-o de novo. O motivo está no campo `error` de:',
  },
  outdated: {
    title: 'As configurações deste vídeo mudaram',
    text: 'Recarregue a página em que o vídeo está.',
  },
  noReferrer: {
    title: 'Este vídeo só é reproduzido dentro de um site',
    text: 'Seu navegador não informou em que site o vídeo está incorporado. Abra a página à qual o vídeo pertence.',
    owner:
      'A requisição não tinha o cabeçalho `Referer`. Verifique se a página não envia `Referrer-Policy: no-referrer` e coloque este atributo no iframe:',
  },
  domainBlocked: {
    title: 'Este vídeo não está disponível neste site',
    text: (host) => `O proprietário do vídeo bloqueou \`${host}\`.`,
    owner: () =>
      'Os domínios bloqueados prevalecem sobre os permitidos. Para mostrar o vídeo aqui, remova de `blocked_domains`, nas configurações do player, a entrada que corresponde a este host:',
  },
  domainNotAllowed: {
    title: 'Este vídeo não está disponível neste site',
    text: (host) => `O proprietário do vídeo não autorizou \`${host}\`.`,
    owner: (host) =>
      `Adicione esta entrada a \`allowed_domains\` nas configurações do player. Ela vale apenas para este host; \`*.${host}\` valeria para os seus subdomínios.`,
  },
  tokenMissing: {
    title: 'Abra este vídeo a partir do seu site',
    text: 'Ele só é reproduzido por meio de um link pessoal, que o site cria para você.',
    owner:
      'A conta exige tokens de espectador e falta `vt` no endereço. Crie no seu servidor um token para cada visita à página e use o respectivo `embed_url`:',
  },
  tokenExpired: {
    title: 'Este link expirou',
    text: 'Recarregue a página em que o vídeo está.',
    owner:
      'O token de espectador em `vt` expirou. Crie um novo sempre que a página for carregada; `exp` é tempo Unix em segundos, não em milissegundos.',
  },
  tokenForged: {
    title: 'Este link não é válido',
    text: 'Recarregue a página em que o vídeo está.',
    owner:
      'O token de espectador em `vt` não pode ser verificado: foi alterado no caminho ou assinado com outro segredo, por exemplo, um anterior a uma rotação. A chave HMAC é o segredo como texto, todos os 64 caracteres, sem decodificar o hexadecimal.',
  },
  expInMilliseconds:
    'O token de espectador em `vt` é autêntico, mas o seu `exp` é um tempo em milissegundos: só expiraria daqui a milhares de anos e por isso é recusado. Escreva o tempo Unix em segundos:',
  tokenRevoked: {
    title: 'Seu acesso terminou',
    text: 'O proprietário do vídeo o retirou. Se você acha que é um engano, entre em contato com ele.',
    owner:
      'O id de espectador em `vt` foi revogado na conta. Um novo token para o mesmo id não devolve o acesso.',
  },
  tooMany: {
    title: 'Solicitações demais',
    text: 'A sua rede envia solicitações demais que não podem reproduzir um vídeo. Aguarde um momento e recarregue a página em que o vídeo está.',
    owner:
      'As solicitações sem um token de espectador válido são limitadas em cada rede; as que têm um `vt` válido, não: crie um token a cada visita à página e use o `embed_url` dele:',
  },
  openApp: {
    title: 'Este vídeo é visto no aplicativo',
    text: 'No Android, este vídeo protegido só é reproduzido no aplicativo.',
  },
  openEdge: {
    title: 'Abra esta página no Microsoft Edge',
    text: 'No Windows, este vídeo protegido só é reproduzido no Edge. Copie o endereço da página, abra o Edge e cole-o lá.',
  },
  openSafari: {
    title: 'Abra esta página no Safari',
    text: 'No Mac, iPhone e iPad, este vídeo protegido só é reproduzido no Safari. Copie o endereço da página, abra o Safari e cole-o lá.',
  },
  guidance: {
    title: 'Este dispositivo não consegue reproduzir o vídeo',
    text: 'O vídeo precisa de uma proteção por hardware que este navegador não tem. Ele é reproduzido no aplicativo Android, no Edge no Windows e no Safari no Mac, iPhone e iPad.',
  },
  noHardware: {
    title: 'Falta a proteção por hardware',
    text: 'Este navegador poderia reproduzir o vídeo, mas a proteção por hardware está ausente ou desativada. Instale as atualizações do sistema e do navegador, ative a aceleração de hardware nas configurações do navegador e recarregue a página. Caso contrário, use outro dispositivo ou o aplicativo Android.',
  },
  openInApp: 'Abrir no aplicativo',
  getApp: 'Obter o aplicativo Android',
  askForApp: 'Não tem o aplicativo? Pergunte ao responsável por este site onde obtê-lo.',
  scanForApp:
    'Leia este código com seu celular Android para obter o aplicativo. Depois, abra esta página no celular.',
  directPlayNotFound: {
    title: 'Vídeo não encontrado',
    text: 'Não há nenhum vídeo para ver neste endereço.',
    owner:
      'Ou este vídeo não existe, ou a conta tem o Direct Play desativado (`direct_play` nas configurações do player).',
  },
  play: 'Reproduzir',
  preview: 'Prévia',
  needsScript:
    'É necessário JavaScript para reproduzir este vídeo. Para o proprietário deste site: se o iframe tiver um atributo sandbox, remova-o, porque bloqueia o JavaScript.',
  untitledVideo: 'Vídeo',
}
