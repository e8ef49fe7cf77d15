import type { PageTexts } from './page-texts.ts'

export const pt: PageTexts = {
  request: 'Requisição',
  email: 'Endereço de e-mail',
  password: 'Senha',
  name: 'Seu nome',
  passwordRule: 'Pelo menos 12 caracteres. Nenhuma senha comum, nem seu endereço, nem “Reelgate”.',
  strength: {
    short: 'Curta demais',
    easy: 'Fácil de adivinhar',
    fair: 'Razoável',
    strong: 'Forte',
  },
  linkCode: 'Código do link',
  linkCodeHint: 'A parte do link depois do sinal #.',
  signOut: 'Sair',
  home: 'Ir para o painel',
  signIn: {
    title: 'Entrar',
    submit: 'Entrar',
    forgot:
      'Esqueceu a senha? Peça ao operador desta instalação um link para escolher outra (`reelgate members invite`).',
    or: 'ou com sua senha',
    signedOut: 'Você saiu.',
    toJoin:
      'Este endereço já tem acesso. Entre com ele para participar da conta. Seu nome continua como está.',
    passkey: 'Entrar com uma chave de acesso',
    passkeyFailed: 'Não foi possível usar a chave de acesso. Tente novamente ou use sua senha.',
  },
  welcome: {
    title: 'Boas-vindas',
    text: 'Este link dá acesso a uma conta. Escolha como você vai entrar.',
    submit: 'Continuar',
  },
  invitation: {
    roles: { owner: 'Proprietário', editor: 'Editor', reader: 'Leitor' },
    can: {
      owner: 'Tudo, inclusive chaves, segredos, a equipe e o registro',
      editor:
        'Altera vídeos, configurações, webhooks e espectadores. Não vê chaves, segredos nem o registro.',
      reader: 'Vê o que os editores veem e não altera nada',
    },
    account: 'Conta',
    role: 'Sua função',
    by: 'Convite de',
    operator: 'O operador desta instalação',
    choose: 'Escolha como você vai entrar.',
    firstOwner:
      'Você é o primeiro proprietário desta conta: o link foi criado na linha de comando. Escolha como você vai entrar.',
    newPassword: (email) => `Este link define uma nova senha para ${email}.`,
    grantsOperator: 'Você também se torna operador da instalação.',
  },
  replaced: {
    text: (email) =>
      `${email} já tem acesso, talvez de outra pessoa. Se você continuar, sua nova senha o substituirá:`,
    passkeys: (count) => `Chaves de acesso que serão removidas: ${count}`,
    sessions: (count) => `Sessões que serão encerradas: ${count}`,
    accounts: (names) => `Contas que você recebe com ele: ${names}`,
    submit: 'Substituir o acesso',
  },
  join: {
    title: 'Participar da conta',
    text: (email) => `Este link dá acesso a outra conta. Você entrou como ${email}.`,
    submit: 'Participar',
    otherwise: 'Para usar outro endereço, saia e abra o link novamente.',
  },
  problems: {
    wrongCredentials: 'O endereço de e-mail ou a senha está errado.',
    tooManyGuesses: (wait) => `Houve muitas tentativas sem sucesso. Aguarde: ${wait}.`,
    email: 'Digite um endereço de e-mail completo.',
    emailOfLink: 'Este link é para outro endereço de e-mail.',
    name: 'Digite seu nome, com no máximo 100 caracteres.',
    passwordLength: 'Uma senha tem de 12 a 256 caracteres.',
    passwordGuessable:
      'Esta senha é fácil demais de adivinhar. Escolha uma que não seja comum, não siga um padrão e não contenha seu endereço nem “Reelgate”.',
  },
  noAccount: {
    title: 'Você não tem nenhuma conta',
    text: (email) =>
      `Você entrou como ${email}, mas não é membro de nenhuma conta. Peça um convite a um proprietário.`,
  },
  linkInvalid: {
    title: 'Este link não pode ser usado',
    text: 'Já foi usado, expirou ou está incompleto. Peça um novo a quem o enviou.',
  },
  tooManyRequests: {
    title: 'Requisições demais',
    text: 'Muitas requisições vieram deste navegador ou desta rede. Aguarde um momento e tente novamente.',
  },
  notFound: { title: 'Página não encontrada', text: 'Não há nada neste endereço.' },
  crossSite: {
    title: 'Use o endereço do painel',
    text: (base) =>
      `A requisição não veio de \`${base}\`. Abra o painel nesse endereço. Se ele tiver outro, o operador define \`DASHBOARD_BASE_URL\`.`,
  },
  unavailable: {
    title: 'Tente novamente em instantes',
    text: 'O banco de dados não responde no momento. Nada foi alterado.',
  },
  busy: 'No momento há pessoas demais entrando. Nada foi alterado.',
  broken: {
    title: 'O serviço teve um erro',
    text: 'Tente novamente. Se acontecer de novo, informe ao operador o número da requisição.',
  },
  malformed: {
    title: 'A requisição não pode ser lida',
    text: 'Volte e tente novamente.',
  },
}
