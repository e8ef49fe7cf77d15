import type { ShellWords } from './en.ts'

export const fr: ShellWords = {
  confirm: {
    title: 'Confirmez votre identité',
    text: 'Cette action demande une nouvelle confirmation, valable dix minutes.',
    password: 'Mot de passe',
    submit: 'Confirmer',
    passkey: 'Utiliser une clé d’accès',
    or: 'ou',
    wrong: 'Le mot de passe est incorrect.',
    tooMany: 'Trop de tentatives. Patientez quelques minutes.',
    noPasskey: 'Aucune clé d’accès n’a été utilisée.',
  },
  palette: {
    none: 'Aucune action ni vidéo ne correspond.',
    noneHint: 'Saisissez le nom d’une page ou d’une action, ou un mot du titre d’une vidéo.',
    recent: 'Récents',
    areas: 'Aller à',
    actions: 'Actions',
    videos: 'Vidéos',
    page: 'Sur cette page',
    hint: 'Ils n’agissent jamais pendant la saisie et peuvent être désactivés dans vos préférences.',
    off: 'Ils sont désactivés dans vos préférences.',
    open: 'Ouvrir la recherche',
  },
  leave: {
    title: 'Quitter sans enregistrer ?',
    text: 'Ce que vous avez saisi ici n’est pas enregistré.',
    secretTitle: 'Quitter sans l’enregistrer ?',
    secretText: 'Il n’est affiché qu’une fois, à sa création.',
    stay: 'Rester ici',
    leave: 'Quitter',
  },
}
