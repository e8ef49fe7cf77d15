import { textsOf } from '../causes/cause-texts.ts'
import { fr as causes } from '../causes/fr.ts'
import type { WhyWords } from './en.ts'

export const fr: WhyWords = {
  title: 'Pourquoi la lecture a-t-elle échoué ?',
  intro:
    'Chaque page et message qui empêche une vidéo de se lire affiche un code. Demandez au spectateur de le lire.',
  code: 'Code',
  codeHint: 'Trois groupes de quatre caractères. Majuscules et tirets ne comptent pas.',
  submit: 'Rechercher',
  invalid: 'Un caractère est faux ou manque. Demandez au spectateur de relire le code.',
  emptyTitle: 'Pas encore de code',
  emptyText:
    'Avec un code, vous voyez quand c’est arrivé, sur quel site, dans quel navigateur, et l’étape suivante.',
  next: 'Étape suivante',
  facts: 'Ce qui est connu',
  unstored:
    'Aucun rapport avec ce code n’est conservé : il a plus de 30 jours, ou c’est un parmi beaucoup d’autres au même moment. Voici ce que le code dit à lui seul.',
  cause: 'Cause',
  time: 'Heure',
  video: 'Vidéo',
  deletedVideo: 'Supprimée',
  viewer: 'Spectateur',
  site: 'Site',
  browser: 'Navigateur',
  position: 'Position',
  errorCode: 'Erreur du lecteur',
  httpStatus: 'Statut HTTP',
  settings: {
    domains: 'Ouvrir les domaines',
    viewer_tokens: 'Ouvrir le filigrane et le secret de signature',
    protection: 'Ouvrir la protection',
    viewers: 'Ouvrir les spectateurs révoqués',
    security_events: 'Ouvrir les événements de sécurité',
    quick_start: 'Ouvrir la prise en main',
    embed: 'Ouvrir le code d’intégration',
    video: 'Ouvrir la vidéo',
  },
  causes: textsOf(causes),
}
