import type { ShellWords } from './en.ts'

export const pt: ShellWords = {
  confirm: {
    title: 'Confirme a sua identidade',
    text: 'Isto exige uma nova confirmação, válida durante dez minutos.',
    password: 'Palavra-passe',
    submit: 'Confirmar',
    passkey: 'Usar uma chave de acesso',
    or: 'ou',
    wrong: 'A palavra-passe está incorreta.',
    tooMany: 'Demasiadas tentativas. Aguarde alguns minutos.',
    noPasskey: 'Não foi usada nenhuma chave de acesso.',
  },
  palette: {
    none: 'Nenhuma ação ou vídeo corresponde.',
    actions: 'Ações',
    videos: 'Vídeos',
    page: 'Nesta página',
    hint: 'Nunca atuam enquanto escreve e podem ser desligados nas suas preferências.',
    off: 'Estão desligados nas suas preferências.',
    open: 'Abrir a procura',
  },
  leave: {
    title: 'Sair sem guardar?',
    text: 'O que introduziu aqui não foi guardado.',
    stay: 'Ficar aqui',
    leave: 'Sair',
  },
}
