import type { TeamWords } from './en.ts'

export const fr: TeamWords = {
  title: 'Équipe',
  invite: 'Inviter',
  you: 'vous',
  never: 'jamais',
  search: 'Rechercher un nom ou une adresse',
  noneFound: 'Aucun membre n’a ce nom ou cette adresse.',
  columns: {
    member: 'Membre',
    role: 'Rôle',
    seen: 'Dernière activité',
    joined: 'Arrivée',
  },
  changed: '{name} est maintenant : {role}',
  roleOf: 'Rôle de {name}',
  change: 'Modifier',
  ownRole: 'Modifier votre propre rôle ?',
  ownRoleText:
    'Vous pourriez perdre le droit de gérer cette équipe. Un autre propriétaire peut vous le rendre.',
  remove: 'Retirer {name}',
  removeTitle: 'Retirer ce membre ?',
  removeText:
    'La prochaine requête de cette personne sera refusée. Les vidéos, les clés et les réglages restent.',
  removeSubmit: 'Retirer',
  removed: '{name} a été retiré',
  leave: 'Quitter le compte',
  leaveTitle: 'Quitter ce compte ?',
  leaveText: 'Vous perdez l’accès immédiatement. Un propriétaire peut vous réinviter.',
  invitations: {
    title: 'Invitations en attente',
    none: 'Aucune invitation en attente.',
    for: 'Pour',
    anyone: 'Toute personne ayant le lien',
    role: 'Rôle',
    by: 'Invité par',
    expires: 'Expire',
    withdraw: 'Annuler',
    withdrawn: 'L’invitation a été annulée',
  },
  dialog: {
    title: 'Inviter une personne',
    role: 'Rôle',
    roles: {
      owner: 'Tout, y compris les clés, les secrets, l’équipe et le journal',
      editor:
        'Modifie les vidéos, les réglages, les webhooks et les spectateurs. Ne voit ni les clés, ni les secrets, ni le journal.',
      reader: 'Voit ce que voient les éditeurs, ne modifie rien',
    },
    email: 'Adresse e-mail',
    emailHint: 'Seule cette adresse peut accepter. Sans adresse, toute personne ayant le lien.',
    submit: 'Créer le lien',
    madeTitle: 'Partagez ce lien',
    made: 'Il fonctionne une fois, jusqu’au {time}. Il n’est affiché que maintenant.',
  },
}
