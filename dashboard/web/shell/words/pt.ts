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
  leave: {
    title: 'Sair sem guardar?',
    text: 'O que introduziu aqui não foi guardado.',
    stay: 'Ficar aqui',
    leave: 'Sair',
  },
}
