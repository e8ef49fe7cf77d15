import type { OverviewWords } from './en.ts'

export const fr: OverviewWords = {
  title: 'Aperçu',
  steps: {
    title: 'Premiers pas',
    progress: '{done} sur {all} faits',
    done: 'Fait',
    open: 'À faire',
    dismiss: 'Masquer',
    video_added: {
      title: 'Ajouter une vidéo',
      text: 'Collez le lien vers un fichier vidéo.',
      link: 'Ajouter une vidéo',
    },
    video_ready: {
      title: 'Attendre qu’elle soit prête',
      text: 'Elle est téléchargée, encodée et chiffrée. Cela dure à peu près autant que la vidéo.',
      link: 'Voir la progression',
    },
    played_elsewhere: {
      title: 'L’intégrer à votre site',
      text: 'Copiez le code depuis la page de la vidéo, puis lisez-la sur votre propre page.',
      link: 'Choisir une vidéo',
    },
    access_restricted: {
      title: 'Restreindre l’accès',
      text: 'Exigez des jetons de spectateur, ou n’autorisez que vos propres domaines.',
      link: 'Restreindre les domaines',
    },
    webhook_delivered: {
      title: 'Recevoir des webhooks',
      text: 'Votre serveur apprend ce qui se passe. Fait dès la première livraison réussie.',
      link: 'Ajouter un endpoint',
    },
    colleague_invited: {
      title: 'Inviter un collègue',
      text: 'Comme propriétaire, éditeur ou lecteur de ce compte.',
      link: 'Inviter',
    },
  },
  playing: 'Lectures en cours',
  security: 'Événements de sécurité, dernières {hours} h',
  failed: 'Vidéos en échec, {days} derniers jours',
  endpoints: 'Endpoints de webhook en échec',
  calm: 'Rien ne demande votre attention',
  calmText:
    'Les vidéos en échec, les endpoints en échec et les limites presque atteintes apparaissent ici.',
  failures: 'Échecs consécutifs : {number}',
  disabled: 'Désactivé',
  all: 'Tout afficher',
  plan: 'Forfait',
  nearly: '{limit} : {share} utilisés',
  planEnded: 'Le forfait est terminé : les nouvelles vidéos sont refusées.',
  planEnds: 'Le forfait se termine {time}.',
}
