import type { TeamWords } from './en.ts'

export const pt: TeamWords = {
  title: 'Equipe',
  invite: 'Convidar',
  you: 'você',
  never: 'nunca',
  search: 'Buscar nome ou endereço',
  noneFound: 'Nenhum membro tem este nome ou endereço.',
  columns: {
    member: 'Membro',
    role: 'Função',
    seen: 'Última atividade',
    joined: 'Entrada',
  },
  changed: '{name} agora é: {role}',
  roleOf: 'Função de {name}',
  change: 'Alterar',
  ownRole: 'Alterar sua própria função?',
  ownRoleText:
    'Você pode perder o direito de gerenciar esta equipe. Outro proprietário pode devolvê-lo.',
  remove: 'Remover {name}',
  removeTitle: 'Remover este membro?',
  removeText:
    'A próxima requisição desta pessoa é recusada. Vídeos, chaves e configurações permanecem.',
  removeSubmit: 'Remover',
  removed: '{name} foi removido',
  leave: 'Sair da conta',
  leaveTitle: 'Sair desta conta?',
  leaveText: 'Você perde o acesso na hora. Um proprietário pode convidar você de novo.',
  invitations: {
    title: 'Convites em aberto',
    none: 'Não há convites em aberto.',
    for: 'Para',
    anyone: 'Qualquer pessoa com o link',
    role: 'Função',
    by: 'Convidado por',
    expires: 'Expira',
    withdraw: 'Retirar',
    withdrawn: 'O convite foi retirado',
  },
  dialog: {
    title: 'Convidar uma pessoa',
    role: 'Função',
    roles: {
      owner: 'Tudo, inclusive chaves, segredos, a equipe e o registro',
      editor:
        'Altera vídeos, configurações, webhooks e espectadores. Não vê chaves, segredos nem o registro.',
      reader: 'Vê o que os editores veem e não altera nada',
    },
    email: 'Endereço de e-mail',
    emailHint: 'Só este endereço pode aceitar. Sem ele, qualquer pessoa com o link.',
    submit: 'Criar link',
    madeTitle: 'Compartilhe este link',
    made: 'Funciona uma vez, até {time}. Só é mostrado agora.',
  },
}
