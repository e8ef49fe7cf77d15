import type { MeWords } from './en.ts'

export const fr: MeWords = {
  save: 'Enregistrer',
  saved: 'Enregistré',
  profile: {
    title: 'Profil',
    text: 'Votre nom, tel que l’équipe le voit.',
    name: 'Nom',
    email: 'Adresse e-mail',
    emailHint: 'Elle sert à vous connecter.',
  },
  password: {
    title: 'Mot de passe',
    text: 'Un nouveau mot de passe vous déconnecte partout ailleurs et annule vos invitations en attente.',
    label: 'Nouveau mot de passe',
    hint: 'Au moins {number} caractères. Pas de mot de passe courant, ni votre adresse, ni « Reelgate ».',
    refused:
      'Ce mot de passe est trop facile à deviner. Choisissez-en un qui n’est pas courant, ne suit aucun motif et ne contient ni votre adresse ni « Reelgate ».',
    removePasskeys: 'Supprimer mes clés d’accès',
    removePasskeysHint:
      'Sauf celle avec laquelle vous venez de confirmer. Ne les gardez que si elles sont toutes à vous.',
    submit: 'Changer le mot de passe',
    done: 'Le mot de passe a été changé',
    failures: 'Mots de passe erronés pour votre adresse : {number} depuis le {day}',
    failuresHint:
      'Si ce n’était pas vous, quelqu’un essaie de deviner. Après cinq mots de passe erronés, chaque réseau doit attendre de plus en plus longtemps. Choisissez un mot de passe long que vous n’utilisez nulle part ailleurs, ou connectez-vous avec une clé d’accès.',
  },
  passkeys: {
    title: 'Clés d’accès',
    text: 'Connectez-vous avec votre empreinte, votre visage ou votre appareil, sans mot de passe.',
    used: 'Dernière utilisation :',
    never: 'jamais',
    add: 'Ajouter une clé d’accès',
    addText: 'Votre navigateur vous demandera de confirmer.',
    addSubmit: 'Continuer',
    added: 'La clé d’accès a été ajoutée',
    name: 'Nom',
    nameHint: 'Pour la reconnaître, par exemple le nom de l’appareil.',
    notMade:
      'Aucune clé d’accès n’a été créée. Vous avez peut-être annulé, ou cet appareil en a déjà une.',
    unreadable:
      'Le navigateur n’a rien donné qui soit une clé d’accès. Une extension de mots de passe s’interpose peut-être : désactivez-la pour cette page, puis réessayez.',
    elsewhere:
      'Les clés d’accès fonctionnent sur {own}, et cette page est sur {here}. Ouvrez le tableau de bord à cette adresse, ou demandez à l’exploitant de régler DASHBOARD_BASE_URL sur {here}.',
    impossible:
      'Les clés d’accès exigent un nom d’hôte en https ou localhost. Cette adresse n’en a pas.',
    rename: 'Renommer {name}',
    renameTitle: 'Renommer la clé d’accès',
    remove: 'Retirer {name}',
    removeTitle: 'Retirer cette clé d’accès ?',
    removeText:
      'Vous ne pourrez plus vous connecter avec elle. Supprimez-la aussi sur votre appareil.',
    removeSubmit: 'Retirer',
    removed: 'La clé d’accès a été retirée',
  },
  sessions: {
    search: 'Rechercher un navigateur ou une adresse',
    noneFound: 'Aucune session n’a ce navigateur ou cette adresse.',
    title: 'Sessions',
    text: 'Navigateurs dans lesquels vous êtes connecté.',
    here: 'Ce navigateur',
    unknown: 'Navigateur inconnu',
    end: 'Déconnecter',
    endOf: 'Déconnecter : {name}',
    ended: 'La session est terminée',
    endOthers: 'Déconnecter partout ailleurs',
    endedOthers: 'Toutes les autres sessions sont terminées',
  },
  preferences: {
    title: 'Préférences',
    text: 'Elles valent dans ce navigateur.',
    shortcuts: 'Raccourcis à une lettre',
    shortcutsHint: 'Appuyez sur ? pour les voir. Ils n’agissent jamais pendant la saisie.',
  },
}
