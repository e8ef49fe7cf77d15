import type { ShellWords } from './en.ts'

export const pt: ShellWords = {
  confirm: {
    title: 'Confirme sua identidade',
    text: 'Isto exige uma nova confirmação, válida durante dez minutos.',
    password: 'Senha',
    submit: 'Confirmar',
    passkey: 'Usar uma chave de acesso',
    or: 'ou',
    wrong: 'A senha está incorreta.',
    tooMany: 'Muitas tentativas. Aguarde alguns minutos.',
    noPasskey: 'Nenhuma chave de acesso foi usada.',
  },
  palette: {
    none: 'Nenhuma ação ou vídeo corresponde.',
    noneHint: 'Digite o nome de uma página ou ação, ou uma palavra do título de um vídeo.',
    recent: 'Recentes',
    areas: 'Ir para',
    actions: 'Ações',
    videos: 'Vídeos',
    page: 'Nesta página',
    hint: 'Nunca agem enquanto você digita e podem ser desativados nas suas preferências.',
    off: 'Estão desativados nas suas preferências.',
    open: 'Abrir a busca',
  },
  leave: {
    title: 'Sair sem salvar?',
    text: 'O que você digitou aqui não foi salvo.',
    secretTitle: 'Sair sem guardar?',
    secretText: 'É mostrado apenas uma vez, ao ser criado.',
    stay: 'Ficar aqui',
    leave: 'Sair',
  },
}
