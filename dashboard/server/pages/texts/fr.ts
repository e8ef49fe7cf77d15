import type { PageTexts } from './page-texts.ts'

export const fr: PageTexts = {
  request: 'Requête',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  name: 'Votre nom',
  passwordRule:
    'Au moins 12 caractères. Pas de mot de passe courant, ni votre adresse, ni « Reelgate ».',
  strength: { short: 'Trop court', easy: 'Facile à deviner', fair: 'Moyen', strong: 'Fort' },
  linkCode: 'Code du lien',
  linkCodeHint: 'La partie du lien qui suit le signe #.',
  signOut: 'Se déconnecter',
  home: 'Aller au tableau de bord',
  signIn: {
    title: 'Se connecter',
    submit: 'Se connecter',
    forgot:
      'Mot de passe oublié ? Demandez à l’exploitant de cette installation un lien pour en choisir un autre (`reelgate members invite`).',
    or: 'ou avec votre mot de passe',
    signedOut: 'Vous êtes déconnecté.',
    toJoin:
      'Cette adresse a déjà un accès. Connectez-vous avec elle pour rejoindre le compte. Votre nom ne change pas.',
    passkey: 'Se connecter avec une clé d’accès',
    passkeyFailed:
      'La clé d’accès n’a pas pu être utilisée. Veuillez réessayer ou utiliser votre mot de passe.',
  },
  welcome: {
    title: 'Bienvenue',
    text: 'Ce lien vous donne accès à un compte. Choisissez comment vous vous connecterez.',
    submit: 'Continuer',
  },
  invitation: {
    roles: { owner: 'Propriétaire', editor: 'Éditeur', reader: 'Lecteur' },
    can: {
      owner: 'Tout, y compris les clés, les secrets, l’équipe et le journal',
      editor:
        'Modifie les vidéos, les réglages, les webhooks et les spectateurs. Ne voit ni les clés, ni les secrets, ni le journal.',
      reader: 'Voit ce que voient les éditeurs, ne modifie rien',
    },
    account: 'Compte',
    role: 'Votre rôle',
    by: 'Invitation de',
    operator: 'L’exploitant de cette installation',
    choose: 'Choisissez comment vous vous connecterez.',
    firstOwner:
      'Vous êtes le premier propriétaire de ce compte : le lien a été créé en ligne de commande. Choisissez comment vous vous connecterez.',
    newPassword: (email) => `Ce lien définit un nouveau mot de passe pour ${email}.`,
    grantsOperator: 'Vous devenez aussi exploitant de l’installation.',
  },
  replaced: {
    text: (email) =>
      `${email} a déjà un accès, peut-être celui d’une autre personne. Si vous continuez, votre nouveau mot de passe le remplace :`,
    passkeys: (count) => `Clés d’accès supprimées : ${count}`,
    sessions: (count) => `Sessions fermées : ${count}`,
    accounts: (names) => `Comptes que vous obtenez ainsi : ${names}`,
    submit: 'Remplacer l’accès',
  },
  join: {
    title: 'Rejoindre le compte',
    text: (email) =>
      `Ce lien vous donne accès à un autre compte. Vous êtes connecté en tant que ${email}.`,
    submit: 'Rejoindre',
    otherwise:
      'Pour rejoindre avec une autre adresse, déconnectez-vous et ouvrez le lien à nouveau.',
  },
  problems: {
    wrongCredentials: 'L’adresse e-mail ou le mot de passe est incorrect.',
    tooManyGuesses: (wait) => `Il y a eu trop d’échecs. Veuillez patienter : ${wait}.`,
    email: 'Saisissez une adresse e-mail complète.',
    emailOfLink: 'Ce lien est destiné à une autre adresse e-mail.',
    name: 'Saisissez votre nom, en 100 caractères au plus.',
    passwordLength: 'Un mot de passe compte de 12 à 256 caractères.',
    passwordGuessable:
      'Ce mot de passe est trop facile à deviner. Choisissez-en un qui n’est pas courant, ne suit aucun motif et ne contient ni votre adresse ni « Reelgate ».',
  },
  noAccount: {
    title: 'Vous n’avez aucun compte',
    text: (email) =>
      `Vous êtes connecté en tant que ${email}, mais vous n’êtes membre d’aucun compte. Demandez une invitation à un propriétaire.`,
  },
  linkInvalid: {
    title: 'Ce lien ne peut pas être utilisé',
    text: 'Il a déjà servi, a expiré ou est incomplet. Demandez-en un nouveau à la personne qui l’a envoyé.',
  },
  tooManyRequests: {
    title: 'Trop de requêtes',
    text: 'Ce navigateur ou ce réseau a envoyé beaucoup de requêtes. Veuillez patienter un instant et réessayer.',
  },
  notFound: { title: 'Page introuvable', text: 'Il n’y a rien à cette adresse.' },
  crossSite: {
    title: 'Veuillez utiliser l’adresse du tableau de bord',
    text: (base) =>
      `La requête ne vient pas de \`${base}\`. Ouvrez le tableau de bord à cette adresse. S’il en a une autre, l’exploitant règle \`DASHBOARD_BASE_URL\`.`,
  },
  unavailable: {
    title: 'Veuillez réessayer dans un instant',
    text: 'La base de données ne répond pas pour le moment. Rien n’a été modifié.',
  },
  busy: 'Trop de personnes se connectent en ce moment. Rien n’a été modifié.',
  broken: {
    title: 'Le service a rencontré une erreur',
    text: 'Veuillez réessayer. Si cela se reproduit, indiquez à l’exploitant le numéro de la requête.',
  },
  malformed: {
    title: 'La requête est illisible',
    text: 'Veuillez revenir en arrière et réessayer.',
  },
}
