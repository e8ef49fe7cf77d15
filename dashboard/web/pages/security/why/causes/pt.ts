import type { CauseTexts } from './cause-texts.ts'

const FRESH =
  'Faça seu servidor criar um token de espectador a cada visita à página e use a embed_url da resposta.'
const RELOAD = 'Peça ao espectador que recarregue a página.'

export const pt: CauseTexts = {
  malformed: [
    'O endereço do player está incompleto ou foi alterado: não leva a nenhum vídeo.',
    'Copie de novo o código de incorporação do vídeo, sem alterações.',
  ],
  not_found: [
    'O vídeo não existe nesta conta ou foi excluído.',
    'Compare o endereço com o código de incorporação do vídeo e remova da página o player de um vídeo excluído.',
  ],
  direct_play_not_found: [
    'A página do Direct Play não existe: o Direct Play está desativado ou não há esse vídeo.',
    'Ative o Direct Play se os links para os vídeos devem funcionar sem um site.',
  ],
  rate_limited: [
    'A rede do espectador enviou solicitações demais que foram recusadas, como páginas sem um token de espectador válido.',
    FRESH,
  ],
  internal_error: [
    'O host do player teve um erro interno.',
    'Peça ao operador que procure este minuto no registro do host do player.',
  ],
  service_unavailable: [
    'O host do player não conseguiu acessar por um momento o banco de dados ou o armazenamento.',
    'Peça ao operador que verifique o estado do PostgreSQL e do armazenamento neste minuto.',
  ],
  video_failed: [
    'O vídeo não pôde ser processado, então não há o que reproduzir.',
    'Abra o vídeo: a página dele diz por que falhou. Depois, crie-o de novo.',
  ],
  settings_changed: [
    'As configurações do vídeo mudaram depois que a página foi carregada.',
    RELOAD,
  ],
  no_referrer: [
    'O navegador não disse em que site o vídeo está, então nenhuma regra de domínio pôde permiti-lo.',
    'Envie a página sem “Referrer-Policy: no-referrer” e use o código de incorporação do vídeo, com seu atributo referrerpolicy.',
  ],
  domain_blocked: [
    'O site está na lista de domínios bloqueados.',
    'Remova o site dos domínios bloqueados se ele pode mostrar seus vídeos.',
    'A lista de domínios bloqueados recusa {host}.',
    'Remova {host} dos domínios bloqueados se ele pode mostrar seus vídeos.',
  ],
  domain_not_allowed: [
    'O site não está na lista de domínios permitidos.',
    'Adicione o site aos domínios permitidos.',
    '{host} não está na lista de domínios permitidos.',
    'Adicione {host} aos domínios permitidos.',
  ],
  token_missing: [
    'A conta exige tokens de espectador, e o endereço do player não tinha nenhum.',
    FRESH,
  ],
  token_expired: [
    'O token de espectador já havia expirado quando o player foi carregado.',
    'Sua página provavelmente está em um cache ou ficou muito tempo aberta: crie um token a cada visita e envie a página com “Cache-Control: no-store”.',
    'O token de espectador expirou {ago} antes de o player ser carregado.',
  ],
  token_forged: [
    'O token de espectador não é autêntico: foi alterado no caminho ou assinado com outro segredo.',
    'Compare o segredo de assinatura do seu servidor com o da conta: pode ser o anterior a uma troca.',
  ],
  exp_in_milliseconds: [
    'O token de espectador é autêntico, mas seu exp é um tempo em milissegundos.',
    'Escreva exp como tempo Unix em segundos onde seu servidor assina os tokens.',
  ],
  viewer_revoked: [
    'O espectador está revogado: todos os seus tokens são recusados.',
    'Restaure o espectador se foi um engano.',
    'O espectador {viewer} está revogado: todos os seus tokens são recusados.',
    'Restaure {viewer} se foi um engano.',
  ],
  open_app: [
    'O modo App-Only está ativado, e no Android o vídeo só é reproduzido no aplicativo.',
    'Peça ao espectador que abra o vídeo no aplicativo ou desative o modo App-Only.',
  ],
  open_edge: [
    'O modo App-Only está ativado, e no Windows o vídeo só é reproduzido no Edge.',
    'Peça ao espectador que abra a página no Edge ou desative o modo App-Only.',
    'O modo App-Only está ativado, e era {device}: no Windows o vídeo só é reproduzido no Edge.',
  ],
  open_safari: [
    'O modo App-Only está ativado, e em dispositivos Apple o vídeo só é reproduzido no Safari.',
    'Peça ao espectador que abra a página no Safari ou desative o modo App-Only.',
    'O modo App-Only está ativado, e era {device}: em dispositivos Apple o vídeo só é reproduzido no Safari.',
  ],
  guidance: [
    'O modo App-Only está ativado, e este navegador não tem DRM por hardware.',
    'Peça ao espectador que use o aplicativo Android, o Edge no Windows ou o Safari em um dispositivo Apple, ou desative o modo App-Only.',
    'O modo App-Only está ativado, e {device} não tem DRM por hardware.',
  ],
  no_hardware: [
    'O modo App-Only está ativado, e este navegador não tem DRM por hardware neste dispositivo.',
    'Peça ao espectador que atualize o sistema e ative a aceleração de hardware, ou use outro dispositivo.',
    'O modo App-Only está ativado, e {device} não tem DRM por hardware neste dispositivo.',
  ],
  no_script: [
    'O JavaScript estava desativado, ou o iframe tem um atributo sandbox que o bloqueia.',
    'Remova o atributo sandbox do iframe ou peça ao espectador que ative o JavaScript.',
  ],
  no_encrypted_media: [
    'O iframe não deixa o player descriptografar: falta encrypted-media no seu atributo allow.',
    'Use o código de incorporação do vídeo sem alterações, com seu atributo allow.',
    'O iframe em {host} não deixa o player descriptografar: falta encrypted-media no seu atributo allow.',
  ],
  sandboxed: [
    'O iframe tem um atributo sandbox, em que vídeos protegidos não são reproduzidos.',
    'Remova o atributo sandbox do iframe.',
  ],
  insecure: [
    'A página não foi carregada por https, e navegadores só descriptografam em páginas seguras.',
    'Sirva por https a página que contém o player.',
    'A página em {host} não foi carregada por https, e navegadores só descriptografam em páginas seguras.',
  ],
  unsupported: [
    'Este navegador não consegue reproduzir vídeos protegidos.',
    'Peça ao espectador que atualize o navegador ou use Chrome, Edge, Firefox ou Safari.',
    '{device} não conseguiu reproduzir o vídeo protegido.',
  ],
  licence_refused: [
    'A chave do vídeo foi recusada: a sessão havia terminado ou não era válida, ou o provedor de DRM não tem licença para ele.',
    'Peça ao espectador que recarregue a página. Se isso não ajudar com um vídeo Multi-DRM, peça ao operador que execute “reelgate doctor drm”.',
  ],
  secret_rotated: [
    'O segredo de assinatura foi substituído durante a reprodução, o que encerra todas as sessões.',
    RELOAD,
  ],
  video_deleted: [
    'O vídeo foi excluído enquanto a página estava aberta.',
    'Remova o player da página ou incorpore outro vídeo.',
  ],
  too_many_streams: [
    'O espectador reproduzia mais vídeos ao mesmo tempo do que a conta permite.',
    'Peça ao espectador que feche outros players ou aumente o limite.',
    '{viewer} reproduzia mais vídeos ao mesmo tempo do que a conta permite.',
  ],
  session_ended: [
    'A reprodução foi encerrada: pelo painel, por regras de domínio alteradas, porque agora se exigem tokens ou porque ficou muito tempo sem dar sinal.',
    RELOAD,
  ],
  network: [
    'A conexão do espectador caiu, ou um firewall bloqueia o player ou o host de mídia.',
    'Peça ao espectador que tente outra rede. Se acontecer com muitos, verifique se as redes deles alcançam o player e o host de mídia.',
    'O host do player ou o host de mídia respondeu com um erro (HTTP {status}).',
    'Pergunte ao operador por que um servidor respondeu com HTTP {status} neste minuto: que ele verifique o estado do PostgreSQL e do armazenamento.',
  ],
  watermark_lost: [
    'Algo cobriu ou removeu a marca d’água, então a reprodução foi pausada.',
    'Peça ao espectador que desative extensões que alteram páginas, como as de modo escuro.',
  ],
  watermark: [
    'A marca d’água foi adulterada, então a reprodução foi encerrada.',
    'Veja os eventos de segurança deste espectador.',
  ],
  failed: [
    'O navegador não conseguiu reproduzir o que recebeu.',
    'Reproduza o vídeo você mesmo. Se funcionar, peça ao espectador que atualize o navegador; se não, crie o vídeo de novo.',
    '{device} não conseguiu reproduzir o que recebeu.',
  ],
  drm_device_revoked: [
    'O dispositivo do espectador está revogado: não recebe licenças.',
    'Peça ao operador que restaure o dispositivo com “reelgate devices restore” se foi um engano.',
  ],
  drm_security_too_low: [
    'O dispositivo é menos seguro do que as licenças da conta exigem.',
    'Peça ao espectador que use o Edge no Windows, o Safari em um dispositivo Apple ou outro dispositivo.',
    '{device} é menos seguro do que as licenças da conta exigem.',
  ],
  drm_output_blocked: [
    'A tela conectada não protege a imagem (HDCP).',
    'Peça ao espectador que desconecte telas externas e adaptadores e encerre o compartilhamento de tela.',
  ],
  drm_unavailable: [
    'O servidor de licenças do provedor de DRM não respondeu.',
    'Peça ao operador que execute “reelgate doctor drm”.',
  ],
  drm_expired: ['A licença do vídeo expirou e não foi renovada.', RELOAD],
  drm_no_cdm: [
    'Este navegador não tem um DRM que possa reproduzir o vídeo, ou ele está desativado.',
    'Peça ao espectador que permita conteúdo protegido (DRM) nas configurações do navegador ou use Chrome, Edge, Firefox ou Safari.',
    '{device} não tem um DRM que possa reproduzir o vídeo, ou ele está desativado.',
  ],
  invalid_request: [
    'O aplicativo enviou uma solicitação que não pôde ser lida.',
    'Peça ao espectador que atualize o aplicativo.',
  ],
  invalid_link: [
    'O link que abriu o aplicativo está incompleto ou foi alterado.',
    'Abra o aplicativo com o link da página, sem alterações.',
  ],
  app_playback_off: [
    'O aplicativo está desativado nesta instalação.',
    'Peça ao operador que defina APP_PLAYBACK ou desative o modo App-Only.',
  ],
  multi_drm_required: [
    'O aplicativo só reproduz vídeos Multi-DRM, e este vídeo tem outra proteção.',
    'Peça ao espectador que reproduza o vídeo no navegador.',
  ],
  invalid_challenge: [
    'O aplicativo usou um desafio que havia expirado ou era de outro link.',
    'Peça ao espectador que abra o vídeo de novo pela página; o relógio do dispositivo deve estar certo.',
  ],
  attestation_required: [
    'O aplicativo não se atestou, o que esta instalação exige.',
    'Peça ao espectador que instale o aplicativo pela loja.',
  ],
  attestation_refused: [
    'O atestado do aplicativo foi recusado: o aplicativo ou o dispositivo não é autêntico.',
    'Peça ao espectador que instale o aplicativo pela loja, em um dispositivo sem acesso root.',
  ],
  unknown_attestation_key: [
    'O aplicativo usou uma chave que não é mais conhecida aqui.',
    'Peça ao espectador que abra o vídeo de novo: o aplicativo então atesta uma chave nova.',
  ],
  video_not_ready: [
    'O vídeo ainda estava sendo preparado quando o aplicativo o pediu.',
    'Espere até que o vídeo possa ser reproduzido.',
  ],
}
