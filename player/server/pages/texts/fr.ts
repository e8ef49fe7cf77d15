import type { PageTexts } from './page-texts.ts'

export const fr: PageTexts = {
  forOwner: 'Pour le responsable de ce site',
  reportCode: 'Code',
  request: 'Requête',
  copyDetails: 'Copier les détails',
  copied: 'Copié',
  malformed: {
    title: 'Cette adresse est incomplète',
    text: 'Elle ne mène à aucune vidéo. Revenez à la page d’où vous venez.',
    owner:
      'Une adresse d’intégration se termine par `/{video_id}/{base64_account_id}` : 20 caractères hexadécimaux, puis l’identifiant du compte en base64. Copiez `embed_url` depuis l’API, sans rien changer :',
  },
  notFound: {
    title: 'Vidéo introuvable',
    text: 'Cette vidéo n’existe pas ou a été supprimée.',
    owner:
      'L’adresse est bien formée, mais son compte n’a pas cette vidéo. Comparez-la avec le champ `embed_url` de :',
  },
  broken: {
    title: 'Une erreur est survenue',
    text: 'La vidéo n’a pas pu être chargée. Réessayez dans un instant.',
  },
  failed: {
    title: 'Cette vidéo ne peut pas être lue',
    text: 'Elle n’a pas pu être traitée. Merci de prévenir le responsable de ce site.',
    owner:
      'La vidéo a le statut `failed`, qui ne change plus : créez-la de nouveau. La raison se trouve dans le champ `error` de :',
  },
  outdated: {
    title: 'Les réglages de cette vidéo ont changé',
    text: 'Rechargez la page où se trouve la vidéo.',
  },
  noReferrer: {
    title: 'Cette vidéo n’est lue qu’au sein d’un site web',
    text: 'Votre navigateur n’a pas indiqué dans quel site la vidéo est intégrée. Ouvrez la page à laquelle elle appartient.',
    owner:
      'La requête n’avait pas d’en-tête `Referer`. Vérifiez que la page n’envoie pas `Referrer-Policy: no-referrer` et mettez cet attribut sur l’iframe :',
  },
  domainBlocked: {
    title: 'Cette vidéo n’est pas disponible sur ce site',
    text: (host) => `Le propriétaire de la vidéo a bloqué \`${host}\`.`,
    owner: () =>
      'Les domaines bloqués l’emportent sur les domaines autorisés. Pour afficher la vidéo ici, retirez de `blocked_domains`, dans les réglages du lecteur, l’entrée qui correspond à cet hôte :',
  },
  domainNotAllowed: {
    title: 'Cette vidéo n’est pas disponible sur ce site',
    text: (host) => `Le propriétaire de la vidéo n’a pas autorisé \`${host}\`.`,
    owner: (host) =>
      `Ajoutez cette entrée à \`allowed_domains\` dans les réglages du lecteur. Elle ne vaut que pour cet hôte ; \`*.${host}\` vaudrait pour ses sous-domaines.`,
  },
  tokenMissing: {
    title: 'Ouvrez cette vidéo depuis son site',
    text: 'Elle ne se lit qu’avec un lien personnel, que son site crée pour vous.',
    owner:
      'Le compte exige des jetons de spectateur, et l’adresse n’a pas de `vt`. Sur votre serveur, créez un jeton à chaque affichage de la page et utilisez son `embed_url` :',
  },
  tokenExpired: {
    title: 'Ce lien a expiré',
    text: 'Rechargez la page où se trouve la vidéo.',
    owner:
      'Le jeton de spectateur dans `vt` a expiré. Créez-en un nouveau à chaque chargement de la page ; `exp` est un temps Unix en secondes, pas en millisecondes.',
  },
  tokenForged: {
    title: 'Ce lien n’est pas valide',
    text: 'Rechargez la page où se trouve la vidéo.',
    owner:
      'Le jeton de spectateur dans `vt` ne se vérifie pas : il a été modifié en chemin, ou signé avec un autre secret, par exemple un secret d’avant une rotation. La clé HMAC est le secret sous forme de texte, ses 64 caractères, sans décoder l’hexadécimal.',
  },
  expInMilliseconds:
    'Le jeton de spectateur dans `vt` est authentique, mais son `exp` est un temps en millisecondes : il n’expirerait que dans des milliers d’années, il est donc refusé. Écrivez le temps Unix en secondes :',
  tokenRevoked: {
    title: 'Votre accès a pris fin',
    text: 'Le propriétaire de la vidéo l’a retiré. Si vous pensez qu’il s’agit d’une erreur, contactez-le.',
    owner:
      'L’identifiant de spectateur dans `vt` a été révoqué dans le compte. Un nouveau jeton pour le même identifiant ne rend pas l’accès.',
  },
  tooMany: {
    title: 'Trop de demandes',
    text: 'Votre réseau envoie trop de demandes qui ne permettent pas de lire une vidéo. Patientez un instant, puis rechargez la page où se trouve la vidéo.',
    owner:
      'Les demandes sans jeton de spectateur valide sont limitées pour chaque réseau ; celles dont le `vt` est valide ne le sont pas : créez un jeton à chaque affichage de la page et utilisez son `embed_url` :',
  },
  openApp: {
    title: 'Cette vidéo se regarde dans l’application',
    text: 'Sur Android, cette vidéo protégée ne se lit que dans l’application.',
  },
  openEdge: {
    title: 'Ouvrez cette page dans Microsoft Edge',
    text: 'Sous Windows, cette vidéo protégée ne se lit que dans Edge. Copiez l’adresse de la page, ouvrez Edge et collez-la.',
  },
  openSafari: {
    title: 'Ouvrez cette page dans Safari',
    text: 'Sur Mac, iPhone et iPad, cette vidéo protégée ne se lit que dans Safari. Copiez l’adresse de la page, ouvrez Safari et collez-la.',
  },
  guidance: {
    title: 'Cet appareil ne peut pas lire la vidéo',
    text: 'La vidéo demande une protection matérielle que ce navigateur n’a pas. Elle se lit dans l’application Android, dans Edge sous Windows et dans Safari sur Mac, iPhone et iPad.',
  },
  noHardware: {
    title: 'La protection matérielle est absente',
    text: 'Ce navigateur pourrait lire la vidéo, mais sa protection matérielle est absente ou désactivée. Installez les mises à jour du système et du navigateur, activez l’accélération matérielle dans les réglages du navigateur et rechargez la page. Sinon, utilisez un autre appareil ou l’application Android.',
  },
  openInApp: 'Ouvrir dans l’application',
  getApp: 'Obtenir l’application Android',
  askForApp: 'Vous n’avez pas l’application ? Demandez au responsable de ce site où l’obtenir.',
  scanForApp:
    'Scannez ce code avec votre téléphone Android pour obtenir l’application. Ouvrez ensuite cette page sur le téléphone.',
  directPlayNotFound: {
    title: 'Vidéo introuvable',
    text: 'Il n’y a aucune vidéo à voir à cette adresse.',
    owner:
      'Soit cette vidéo n’existe pas, soit Direct Play est désactivé dans son compte (`direct_play` dans les réglages du lecteur).',
  },
  play: 'Lire',
  preview: 'Aperçu',
  needsScript:
    'JavaScript est nécessaire pour lire cette vidéo. Pour le propriétaire de ce site : si l’iframe a un attribut sandbox, retirez-le, car il bloque JavaScript.',
  untitledVideo: 'Vidéo',
}
