import type { PageTexts } from './page-texts.ts'

export const pt: PageTexts = {
  forOwner: 'Para o responsável por este site',
  request: 'Pedido',
  malformed: {
    title: 'Este endereço está incompleto',
    text: 'Ele não leva a nenhum vídeo. Volte à página de onde veio.',
    owner:
      'Um endereço de incorporação termina em `/{video_id}/{base64_account_id}`: 20 caracteres hexadecimais e, em seguida, o id da conta em base64. Copie `embed_url` da API sem alterações:',
  },
  notFound: {
    title: 'Vídeo não encontrado',
    text: 'Este vídeo não existe ou foi apagado.',
    owner:
      'O endereço está bem formado, mas a conta não tem esse vídeo. Compare-o com o `embed_url` de:',
  },
  broken: {
    title: 'Algo correu mal',
    text: 'Não foi possível carregar o vídeo. Tente novamente dentro de momentos.',
  },
  failed: {
    title: 'Este vídeo não pode ser reproduzido',
    text: 'Não foi possível processá-lo. Avise o responsável por este site.',
    owner:
      'O vídeo tem o estado `failed`, que já não muda: crie-o de novo. O motivo está no campo `error` de:',
  },
  waiting: {
    title: 'Este vídeo está a ser preparado',
    text: 'Aparece aqui assim que puder ser reproduzido.',
  },
  noReferrer: {
    title: 'Este vídeo só é reproduzido dentro de um site',
    text: 'O seu navegador não indicou em que site o vídeo está incorporado. Abra a página a que o vídeo pertence.',
    owner:
      'O pedido não tinha o cabeçalho `Referer`. Verifique se a página não envia `Referrer-Policy: no-referrer` e ponha este atributo no iframe:',
  },
  domainBlocked: {
    title: 'Este vídeo não está disponível neste site',
    text: (host) => `O proprietário do vídeo bloqueou \`${host}\`.`,
    owner: () =>
      'Os domínios bloqueados prevalecem sobre os permitidos. Para mostrar o vídeo aqui, retire de `blocked_domains`, nas definições do leitor, a entrada que corresponde a este host:',
  },
  domainNotAllowed: {
    title: 'Este vídeo não está disponível neste site',
    text: (host) => `O proprietário do vídeo não autorizou \`${host}\`.`,
    owner: (host) =>
      `Acrescente esta entrada a \`allowed_domains\` nas definições do leitor. Ela vale apenas para este host; \`*.${host}\` valeria para os seus subdomínios.`,
  },
  tokenMissing: {
    title: 'Abra este vídeo a partir do seu site',
    text: 'Só é reproduzido através de um link pessoal, que o site cria para si.',
    owner:
      'A conta exige tokens de espectador e falta `vt` no endereço. Crie no seu servidor um token para cada visita à página e use o respetivo `embed_url`:',
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
      'O token de espectador em `vt` não pode ser verificado: foi alterado pelo caminho ou assinado com outro segredo, por exemplo, um anterior a uma rotação. A chave HMAC é o segredo como texto, todos os 64 caracteres, sem descodificar o hexadecimal.',
  },
  expInMilliseconds:
    'O token de espectador em `vt` é autêntico, mas o seu `exp` é um tempo em milissegundos: só expiraria daqui a milhares de anos, pelo que é recusado. Escreva o tempo Unix em segundos:',
  tokenRevoked: {
    title: 'O seu acesso terminou',
    text: 'O proprietário do vídeo retirou-o. Se acha que é um engano, entre em contacto com ele.',
    owner:
      'O id de espectador em `vt` foi revogado na conta. Um novo token para o mesmo id não devolve o acesso.',
  },
  openApp: {
    title: 'Este vídeo é visto na aplicação',
    text: 'No Android, este vídeo protegido só é reproduzido na aplicação.',
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
    text: 'O vídeo precisa de uma proteção por hardware que este navegador não tem. É reproduzido na aplicação Android, no Edge em Windows e no Safari em Mac, iPhone e iPad.',
  },
  openInApp: 'Abrir na aplicação',
  getApp: 'Obter a aplicação Android',
  askForApp: 'Não tem a aplicação? Pergunte ao responsável por este site onde a pode obter.',
  scanForApp:
    'Leia este código com o seu telemóvel Android para obter a aplicação. Depois, abra esta página no telemóvel.',
  directPlayNotFound: {
    title: 'Vídeo não encontrado',
    text: 'Não há nenhum vídeo para ver neste endereço.',
    owner:
      'Ou este vídeo não existe, ou a conta tem o Direct Play desligado (`direct_play` nas definições do leitor).',
  },
  play: 'Reproduzir',
  preview: 'Pré-visualização',
  needsScript:
    'É necessário JavaScript para reproduzir este vídeo. Para o proprietário deste site: se o iframe tiver um atributo sandbox, remova-o, porque bloqueia o JavaScript.',
  untitledVideo: 'Vídeo',
}
