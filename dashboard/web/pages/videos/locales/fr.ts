import { plural } from '../../../locales/plural.ts'
import type { VideosWords } from './en.ts'

export const fr: VideosWords = {
  tabs: {
    label: 'Sections de cette vidéo',
    overview: 'Aperçu',
    captions: 'Sous-titres',
    chapters: 'Chapitres',
    moments: 'Moments',
    poster: 'Affiche',
    renditions: 'Qualités',
    embed: 'Intégrer',
  },
  details: {
    title: 'Description',
    edit: 'Modifier',
    name: 'Titre',
    description: 'Description',
    noDescription: 'Aucune description',
    folder: 'Dossier',
    save: 'Enregistrer',
  },
  warnings: {
    title: 'Différences avec le fichier source',
    texts: {
      picture_damaged:
        '{number} % de l’image sont endommagés ou absents du fichier. La dernière bonne image y reste affichée.',
      sound_damaged:
        '{number} % d’une piste audio sont endommagés ou absents du fichier. Elle y est silencieuse.',
      video_tracks_dropped:
        'Autres pistes vidéo qui ne sont pas lues : {number}. La piste par défaut l’est.',
      audio_tracks_dropped:
        'Pistes audio qui ne sont pas lues, car trop nombreuses ou illisibles : {number}',
      surround_downmixed: 'Pistes audio en son multicanal, lues en stéréo : {number}',
      subtitles_dropped:
        'Pistes de sous-titres qui ne sont pas affichées, car ce sont des images, elles répètent une langue ou sont illisibles : {number}',
      chapters_dropped:
        'Chapitres du fichier qui ne sont pas affichés, car ils se chevauchent ou dépassent la vidéo : {number}',
      data_tracks_dropped:
        'Pistes de données qui ne sont pas conservées, comme les codes temporels : {number}',
      attachments_dropped:
        'Fichiers joints qui ne sont pas conservés, comme les polices et les pochettes : {number}',
      hdr_converted: 'L’image HDR est affichée en SDR.',
      transparency_dropped:
        'Les parties transparentes de l’image ne sont pas affichées comme telles.',
      corners_cut: 'L’image est tournée de biais. Ses coins sont coupés.',
      frame_rate_reduced: 'Le fichier a {number} images par seconde. 60 au plus sont lues.',
    },
  },
  captions: {
    list: 'Sous-titres de cette vidéo',
    empty: 'Cette vidéo n’a pas encore de sous-titres.',
    default: 'Par défaut',
    shownAtStart: 'Les lecteurs affichent les sous-titres dès le début.',
    hiddenAtStart: 'Les lecteurs affichent les sous-titres quand le spectateur les active.',
    defaultLanguage: 'Langue par défaut :',
    settings: 'Cela vaut pour toutes les vidéos du compte et fait partie des réglages du lecteur.',
    show: 'Afficher le texte',
    hide: 'Masquer le texte',
    replace: 'Remplacer',
    replaceTitle: 'Remplacer « {label} »',
    add: 'Ajouter des sous-titres',
    addInstead: 'Ajouter plutôt une autre langue',
    choose: 'Choisir un fichier',
    drop: 'Ou déposez un fichier WebVTT ici (.vtt, {size} au plus).',
    tooLarge: 'Le fichier dépasse {size}.',
    language: 'Langue',
    languageHint: 'Un code comme en ou pt-BR',
    label: 'Nom',
    labelHint: 'Tel que les spectateurs le voient dans le lecteur',
    deleteTitle: 'Supprimer ces sous-titres ?',
    deleteText: '« {label} » est supprimé et n’est plus proposé dans le lecteur.',
    deleteSubmit: 'Supprimer les sous-titres',
  },
  chapters: {
    hint: 'Lisez la vidéo et ajoutez un chapitre là où il commence. Faites glisser une limite ou déplacez-la avec les flèches. Rien ne change pour les spectateurs avant l’enregistrement.',
    empty: 'Aucun chapitre pour l’instant.',
  },
  moments: {
    hint: 'Lisez la vidéo et ajoutez un moment là où il se produit. Faites-le glisser ou déplacez-le avec les flèches. Rien ne change pour les spectateurs avant l’enregistrement.',
    empty: 'Aucun moment pour l’instant.',
  },
  marks: {
    timeline: 'Chronologie : {title}',
    untitled: 'Sans titre',
    text: 'Titre',
    start: 'Début',
    end: 'Fin',
    time: 'Temps',
    startOf: 'Début de {title}',
    endOf: 'Fin de {title}',
    remove: 'Retirer {title}',
    play: 'Lire',
    playFrom: 'Lire à partir de {title}',
    addAt: 'Ajouter à {time}',
    taken: 'Il y en a déjà un à cet instant, ou il ne reste plus de temps.',
    notTime: 'Minutes et secondes, par exemple 1:05',
    unsaved: plural({
      one: '{number} modification non enregistrée',
      other: '{number} modifications non enregistrées',
    }),
    refused: 'Les modifications n’ont pas été enregistrées. Voyez le champ signalé.',
  },
  poster: {
    current: 'Affiche actuelle',
    public:
      'Toute personne qui a l’adresse peut la voir. Un nouveau choix apparaît aussitôt dans les pages que l’on ouvre.',
    none: 'L’affiche est créée quand toutes les qualités sont prêtes.',
    frames: 'Choisir une image',
    hint: 'Ces images ne sont visibles qu’ici, jusqu’à ce que vous en choisissiez une.',
    noFrames:
      'Aucune image extraite n’a été gardée pour cette vidéo, car une version antérieure l’a préparée. Vous pouvez en envoyer une à la place.',
    automatic: 'Automatique',
    frame: 'Image {number}',
    chosen: 'L’affiche a changé.',
    uploaded: 'Envoyée',
    own: 'Envoyer votre propre image',
    choose: 'Choisir un fichier',
    drop: 'Ou déposez ici un JPEG, PNG ou WebP : {size} au plus, et de préférence 1280 pixels de large ou davantage.',
    tooLarge: 'Le fichier dépasse {size}.',
    preview: 'L’image choisie',
    ownHint:
      'Elle devient l’affiche dès qu’elle est prête, sans changer de forme. Le lieu et les autres données cachées du fichier sont supprimés.',
    upload: 'Utiliser comme affiche',
    preparing: 'Votre image est en préparation. L’affiche change dans un instant.',
    unchanged: 'L’affiche n’a pas changé.',
    refusals: {
      format: 'Ce n’est pas une image JPEG, PNG ou WebP.',
      animated: 'L’image est animée. Une affiche est une image fixe.',
      pixels: 'L’image a plus de 50 millions de pixels.',
      small: 'L’image est trop petite : son plus grand côté doit avoir au moins 320 pixels.',
      damaged:
        'L’image est endommagée ou incomplète. Enregistrez-la de nouveau ou choisissez-en une autre.',
      storage: 'L’espace de stockage du forfait est plein.',
      busy: 'Dix images de ce compte sont encore en préparation. Réessayez dans un instant.',
      internal: 'L’image n’a pas pu être préparée. Réessayez.',
    },
  },
  renditions: {
    none: 'Les qualités apparaissent ici dès leur publication.',
    name: 'Qualité',
    picture: 'Image',
    codecs: 'Codecs',
    bitRate: 'Débit maximal',
    size: 'Taille',
    published: 'Publiée',
    video: 'Vidéo',
    audio: 'Son',
    total: 'Total stocké : {size}.',
    other: 'Dont {size} d’affiches, d’images, d’aperçus et, s’il est gardé, de l’original.',
  },
  embed: {
    iframe: 'Iframe',
    iframeHint: 'Fonctionne dans toute page. Collez-la là où la vidéo doit être lue.',
    element: 'Avec commandes pour votre page',
    elementHint: 'L’élément a play(), currentTime et des événements, comme un <video>.',
    token: 'Signer un jeton de spectateur sur votre serveur',
    tokenHint:
      'Si la lecture exige des jetons, votre serveur en signe un pour chaque spectateur. Le code affiche l’adresse de l’intégration.',
    tokenWarning:
      'Le secret de signature se trouve dans les réglages du filigrane. Gardez-le sur votre serveur et envoyez les pages avec un jeton avec Cache-Control: private, no-store.',
    sdk: 'Ou demander un jeton avec le SDK',
    sdkHint: 'Demande une clé d’API avec le droit playback:sign.',
  },
  list: {
    label: 'Sélection',
    select: 'Sélectionner {title}',
    selectAll: 'Sélectionner toute cette page',
    selected: plural({
      one: '{number} vidéo sélectionnée',
      other: '{number} vidéos sélectionnées',
    }),
    allMatching: plural({
      one: 'Sélectionner {number} résultat',
      other: 'Sélectionner les {number} résultats',
    }),
    onlyPage: 'Cette page seulement',
    move: 'Déplacer',
    clear: 'Effacer la sélection',
    moveTitle: plural({ one: 'Déplacer {number} vidéo', other: 'Déplacer {number} vidéos' }),
    deleteTitle: plural({ one: 'Supprimer {number} vidéo', other: 'Supprimer {number} vidéos' }),
    deleteText: 'Ces vidéos sont supprimées :',
    deleteSubmit: plural({ one: 'Supprimer {number} vidéo', other: 'Supprimer {number} vidéos' }),
    titleHas: 'Le titre contient',
    filter: 'Filtre',
    noFilter: 'aucun : toutes les vidéos du compte',
  },
  add: {
    newFolder: 'Nouveau dossier…',
    newFolderName: 'Nom du nouveau dossier',
    refused: {
      invalid_source_url:
        'Ce n’est pas un lien vers un fichier. Il commence par https:// et n’a pas d’autre port que 443 ou 8443.',
      source_not_allowed:
        'Ce lien mène à un réseau privé. Utilisez une adresse que tout le monde peut ouvrir sur Internet.',
      source_unreachable:
        'Le fichier ne s’ouvre pas avec ce lien. Vérifiez qu’il s’ouvre dans une fenêtre privée, sans connexion.',
      unsupported_source_type:
        'Ce lien ne mène pas à un fichier vidéo, mais peut-être à une page qui en montre un. Utilisez le lien du fichier lui-même.',
      source_too_large: 'Le fichier est trop grand. Exportez-le en plus petit, puis réessayez.',
      insufficient_storage:
        'L’offre n’a plus de place pour ce fichier. Libérez de l’espace ou changez d’offre.',
      too_many_redirects: 'Le lien redirige trop souvent. Utilisez le lien auquel il aboutit.',
      folder_exists: 'Un dossier porte déjà ce nom. Choisissez-le dans la liste.',
      too_many_folders: 'Le compte a déjà les 1 000 dossiers auxquels il a droit.',
    },
  },
  folders: {
    title: 'Dossiers',
    empty: 'Il n’y a pas encore de dossier.',
    newName: 'Nouveau dossier',
    create: 'Créer',
    rename: 'Nom du dossier {name}',
    remove: 'Supprimer le dossier {name}',
  },
}
