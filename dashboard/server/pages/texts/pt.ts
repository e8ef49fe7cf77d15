import type { PageTexts } from './page-texts.ts'

export const pt: PageTexts = {
  request: 'Pedido',
  email: 'Endereço de e-mail',
  password: 'Palavra-passe',
  name: 'O seu nome',
  passwordRule: 'Pelo menos 12 caracteres.',
  linkCode: 'Código do link',
  linkCodeHint: 'A parte do link depois do sinal #.',
  signOut: 'Terminar sessão',
  home: 'Ir para o painel',
  signIn: {
    title: 'Iniciar sessão',
    submit: 'Iniciar sessão',
    forgot:
      'Esqueceu-se da palavra-passe? O operador desta instalação cria um link para escolher outra com `reelgate members invite --account <id> --role <role> --email <address>`.',
    toJoin: 'Este endereço já tem acesso. Inicie sessão com ele para entrar na conta.',
    passkey: 'Iniciar sessão com uma chave de acesso',
    passkeyFailed:
      'Não foi possível usar a chave de acesso. Tente novamente ou use a sua palavra-passe.',
  },
  welcome: {
    title: 'Boas-vindas',
    text: 'Este link dá-lhe acesso a uma conta. Escolha como vai iniciar sessão.',
    submit: 'Continuar',
  },
  join: {
    title: 'Entrar na conta',
    text: (email) => `Este link dá-lhe acesso a outra conta. Iniciou sessão como ${email}.`,
    submit: 'Entrar',
    otherwise: 'Para entrar com outro endereço, termine a sessão e abra o link novamente.',
  },
  problems: {
    wrongCredentials: 'O endereço de e-mail ou a palavra-passe está errado.',
    tooManyGuesses: (wait) => `Houve demasiadas tentativas falhadas. Aguarde: ${wait}.`,
    email: 'Introduza um endereço de e-mail completo.',
    emailOfLink: 'Este link é para outro endereço de e-mail.',
    name: 'Introduza o seu nome, com no máximo 100 caracteres.',
    passwordLength: 'Uma palavra-passe tem de 12 a 256 caracteres.',
  },
  noAccount: {
    title: 'Não tem nenhuma conta',
    text: (email) =>
      `Iniciou sessão como ${email}, mas não é membro de nenhuma conta. Peça um convite a um proprietário.`,
  },
  linkInvalid: {
    title: 'Este link não pode ser usado',
    text: 'Já foi usado, expirou ou está incompleto. Peça um novo a quem o enviou.',
  },
  notFound: { title: 'Página não encontrada', text: 'Não há nada neste endereço.' },
  crossSite: {
    title: 'Use o endereço do painel',
    text: (base) =>
      `O pedido não veio de \`${base}\`. Abra o painel nesse endereço. Se tiver outro, o operador define \`DASHBOARD_BASE_URL\`.`,
  },
  unavailable: {
    title: 'Tente novamente dentro de momentos',
    text: 'A base de dados não responde neste momento. Nada foi alterado.',
  },
  busy: 'Neste momento há demasiadas pessoas a iniciar sessão. Nada foi alterado.',
  broken: {
    title: 'O serviço teve um erro',
    text: 'Tente novamente. Se voltar a acontecer, indique ao operador o número do pedido.',
  },
  malformed: {
    title: 'O pedido não pode ser lido',
    text: 'Volte atrás e tente novamente.',
  },
}
