import { plural } from '../../locales/plural.ts'
import type { UploadsWords } from './en.ts'

export const fr: UploadsWords = {
  title: 'Envois',
  sending: plural({
    one: 'Envoi de {number} fichier',
    other: 'Envoi de {number} fichiers',
  }),
  asking: plural({
    one: '{number} envoi vous attend',
    other: '{number} envois vous attendent',
  }),
  finished: 'Tous les envois sont terminés',
  show: 'Afficher les envois',
  hide: 'Masquer les envois',
  close: 'Fermer les envois',
  progress: 'Progression de {name}',
  total: 'Progression de tous les envois',
  speed: '{size}/s',
  states: {
    waiting: 'En attente',
    starting: 'Démarrage',
    finishing: 'Finalisation',
    paused: 'En pause à {percent}',
    choose: 'En pause à {percent} : choisissez à nouveau le même fichier pour continuer',
    chooseFirst: 'Pas encore envoyé : choisissez à nouveau le même fichier',
    done: 'Envoyé',
  },
  delays: {
    network: 'Pas de connexion. L’envoi reprend tout seul.',
    'sign-in': 'Reconnectez-vous, et l’envoi reprend.',
    server: 'Le serveur n’est pas prêt. L’envoi reprend tout seul.',
  },
  actions: {
    pause: 'Suspendre {name}',
    resume: 'Reprendre {name}',
    retry: 'Réessayer : {name}',
    cancel: 'Annuler {name}',
    dismiss: 'Retirer {name} de la liste',
    choose: 'Choisir le fichier',
  },
  otherFile: 'C’est un autre fichier. Choisissez {name}, de {size}.',
  cancel: {
    title: 'Annuler cet envoi ?',
    text: '{size} de {name} sont déjà envoyés. Ils seront supprimés.',
    submit: 'Annuler l’envoi',
    keep: 'Le garder',
  },
  failures: {
    insufficient_storage:
      'L’offre n’a plus assez de stockage. Libérez de l’espace ou changez d’offre.',
    source_too_large: 'Le fichier est trop volumineux. Exportez-le en plus petit.',
    too_many_uploads:
      'Le compte a trop d’envois inachevés. Annulez-en, ou attendez la fin des autres.',
    no_active_plan: 'Le compte n’a pas d’offre active.',
    drm_provider_not_configured: 'L’opérateur doit d’abord configurer Multi-DRM.',
    insufficient_role: 'Vous ne pouvez plus ajouter de vidéos à ce compte.',
    folder_not_found: 'Le dossier n’existe plus. Annulez et choisissez-en un autre.',
    too_many_folders: 'Le compte a déjà le maximum de 1 000 dossiers.',
    upload_not_found: 'L’envoi a été annulé ou a expiré. Réessayez depuis le début.',
    file_unreadable: 'Le fichier a été déplacé, modifié ou supprimé. Choisissez-le à nouveau.',
  },
  failed: 'L’envoi a échoué ({code}).',
  refusals: {
    not_video: 'Ce n’est pas un fichier vidéo.',
    empty: 'Le fichier est vide.',
    too_large: 'Le fichier dépasse {max}.',
    no_room: 'L’offre n’a plus que {room}.',
  },
  said: {
    added: plural({
      one: '{number} fichier est en cours d’envoi',
      other: '{number} fichiers sont en cours d’envoi',
    }),
    done: '{name} est envoyé',
    failed: '{name} n’a pas été envoyé : {reason}',
    found: plural({
      one: '{number} envoi est inachevé : choisissez à nouveau son fichier',
      other: '{number} envois sont inachevés : choisissez à nouveau leurs fichiers',
    }),
  },
}
