import type { CauseTexts } from './cause-texts.ts'

const FRESH =
  'Faites créer par votre serveur un jeton de spectateur à chaque affichage de la page, et utilisez l’embed_url de la réponse.'
const RELOAD = 'Demandez au spectateur de recharger la page.'

export const fr: CauseTexts = {
  malformed: [
    'L’adresse du lecteur est incomplète ou a été modifiée : elle ne mène à aucune vidéo.',
    'Copiez de nouveau le code d’intégration de la vidéo, sans le modifier.',
  ],
  not_found: [
    'La vidéo n’existe pas dans ce compte, ou elle a été supprimée.',
    'Comparez l’adresse avec le code d’intégration de la vidéo, et retirez de la page le lecteur d’une vidéo supprimée.',
  ],
  direct_play_not_found: [
    'La page Direct Play n’existe pas : Direct Play est désactivé, ou il n’y a pas de telle vidéo.',
    'Activez Direct Play si les liens vers les vidéos doivent fonctionner sans site web.',
  ],
  rate_limited: [
    'Le réseau du spectateur a envoyé trop de requêtes refusées, comme des pages sans jeton de spectateur valide.',
    FRESH,
  ],
  internal_error: [
    'L’hôte du lecteur a eu une erreur interne.',
    'Demandez à l’exploitant de chercher cette minute dans le journal de l’hôte du lecteur.',
  ],
  service_unavailable: [
    'L’hôte du lecteur n’a pas pu joindre un instant sa base de données ou son stockage.',
    'Demandez à l’exploitant de vérifier l’état de PostgreSQL et du stockage à cette minute.',
  ],
  video_failed: [
    'La vidéo n’a pas pu être traitée : il n’y a rien à lire.',
    'Ouvrez la vidéo : sa page dit pourquoi elle a échoué. Puis créez-la de nouveau.',
  ],
  settings_changed: ['Les réglages de la vidéo ont changé après le chargement de la page.', RELOAD],
  no_referrer: [
    'Le navigateur n’a pas dit sur quel site se trouve la vidéo : aucune règle de domaine n’a pu l’autoriser.',
    'Envoyez la page sans « Referrer-Policy: no-referrer », et utilisez le code d’intégration de la vidéo, avec son attribut referrerpolicy.',
  ],
  domain_blocked: [
    'Le site est dans la liste des domaines bloqués.',
    'Retirez le site des domaines bloqués s’il peut montrer vos vidéos.',
    'La liste des domaines bloqués refuse {host}.',
    'Retirez {host} des domaines bloqués s’il peut montrer vos vidéos.',
  ],
  domain_not_allowed: [
    'Le site n’est pas dans la liste des domaines autorisés.',
    'Ajoutez le site aux domaines autorisés.',
    '{host} n’est pas dans la liste des domaines autorisés.',
    'Ajoutez {host} aux domaines autorisés.',
  ],
  token_missing: [
    'Le compte exige des jetons de spectateur, et l’adresse du lecteur n’en avait pas.',
    FRESH,
  ],
  token_expired: [
    'Le jeton de spectateur avait déjà expiré au chargement du lecteur.',
    'Votre page est sans doute dans un cache, ou était ouverte depuis longtemps : créez un jeton à chaque affichage, et envoyez la page avec « Cache-Control: no-store ».',
    'Le jeton de spectateur a expiré {ago} avant le chargement du lecteur.',
  ],
  token_forged: [
    'Le jeton de spectateur n’est pas authentique : il a été modifié en route, ou signé avec un autre secret.',
    'Comparez le secret de signature de votre serveur avec celui du compte : c’est peut-être celui d’avant un remplacement.',
  ],
  exp_in_milliseconds: [
    'Le jeton de spectateur est authentique, mais son exp est un temps en millisecondes.',
    'Écrivez exp comme un temps Unix en secondes là où votre serveur signe les jetons.',
  ],
  viewer_revoked: [
    'Le spectateur est révoqué : tous ses jetons sont refusés.',
    'Rétablissez le spectateur si c’était une erreur.',
    'Le spectateur {viewer} est révoqué : tous ses jetons sont refusés.',
    'Rétablissez {viewer} si c’était une erreur.',
  ],
  open_app: [
    'Le mode App-Only est activé, et sur Android la vidéo ne se lit que dans l’application.',
    'Demandez au spectateur d’ouvrir la vidéo dans l’application, ou désactivez le mode App-Only.',
  ],
  open_edge: [
    'Le mode App-Only est activé, et sous Windows la vidéo ne se lit que dans Edge.',
    'Demandez au spectateur d’ouvrir la page dans Edge, ou désactivez le mode App-Only.',
    'Le mode App-Only est activé, et c’était {device} : sous Windows la vidéo ne se lit que dans Edge.',
  ],
  open_safari: [
    'Le mode App-Only est activé, et sur les appareils Apple la vidéo ne se lit que dans Safari.',
    'Demandez au spectateur d’ouvrir la page dans Safari, ou désactivez le mode App-Only.',
    'Le mode App-Only est activé, et c’était {device} : sur les appareils Apple la vidéo ne se lit que dans Safari.',
  ],
  guidance: [
    'Le mode App-Only est activé, et ce navigateur n’a pas de DRM matériel.',
    'Demandez au spectateur d’utiliser l’application Android, Edge sous Windows ou Safari sur un appareil Apple, ou désactivez le mode App-Only.',
    'Le mode App-Only est activé, et {device} n’a pas de DRM matériel.',
  ],
  no_hardware: [
    'Le mode App-Only est activé, et ce navigateur n’a pas de DRM matériel sur cet appareil.',
    'Demandez au spectateur de mettre le système à jour et d’activer l’accélération matérielle, ou d’utiliser un autre appareil.',
    'Le mode App-Only est activé, et {device} n’a pas de DRM matériel sur cet appareil.',
  ],
  no_script: [
    'JavaScript était désactivé, ou l’iframe a un attribut sandbox qui le bloque.',
    'Retirez l’attribut sandbox de l’iframe, ou demandez au spectateur d’activer JavaScript.',
  ],
  no_encrypted_media: [
    'L’iframe ne laisse pas le lecteur déchiffrer : il manque encrypted-media à son attribut allow.',
    'Utilisez le code d’intégration de la vidéo sans le modifier, avec son attribut allow.',
    'L’iframe sur {host} ne laisse pas le lecteur déchiffrer : il manque encrypted-media à son attribut allow.',
  ],
  sandboxed: [
    'L’iframe a un attribut sandbox, dans lequel les vidéos protégées ne se lisent pas.',
    'Retirez l’attribut sandbox de l’iframe.',
  ],
  insecure: [
    'La page n’a pas été chargée en https, et les navigateurs ne déchiffrent que sur des pages sécurisées.',
    'Servez en https la page qui contient le lecteur.',
    'La page sur {host} n’a pas été chargée en https, et les navigateurs ne déchiffrent que sur des pages sécurisées.',
  ],
  unsupported: [
    'Ce navigateur ne peut pas lire de vidéos protégées.',
    'Demandez au spectateur de mettre le navigateur à jour, ou d’utiliser Chrome, Edge, Firefox ou Safari.',
    '{device} n’a pas pu lire la vidéo protégée.',
  ],
  licence_refused: [
    'La clé de la vidéo a été refusée : la session était terminée ou non valide, ou le fournisseur de DRM n’a pas de licence pour elle.',
    'Demandez au spectateur de recharger la page. Si cela n’aide pas pour une vidéo Multi-DRM, demandez à l’exploitant d’exécuter « reelgate doctor drm ».',
  ],
  secret_rotated: [
    'Le secret de signature a été remplacé pendant la lecture, ce qui termine toutes les sessions.',
    RELOAD,
  ],
  video_deleted: [
    'La vidéo a été supprimée pendant que la page était ouverte.',
    'Retirez le lecteur de la page, ou intégrez une autre vidéo.',
  ],
  too_many_streams: [
    'Le spectateur lisait plus de vidéos à la fois que le compte ne le permet.',
    'Demandez au spectateur de fermer d’autres lecteurs, ou relevez la limite.',
    '{viewer} lisait plus de vidéos à la fois que le compte ne le permet.',
  ],
  session_ended: [
    'La lecture a été terminée : depuis le tableau de bord, par un changement des règles de domaine, parce que des jetons sont désormais exigés, ou faute de nouvelles depuis longtemps.',
    RELOAD,
  ],
  network: [
    'La connexion du spectateur a été perdue, ou un pare-feu bloque le lecteur ou l’hôte des médias.',
    'Demandez au spectateur d’essayer un autre réseau. Si c’est fréquent, vérifiez que ces réseaux joignent le lecteur et l’hôte des médias.',
    'L’hôte du lecteur ou l’hôte des médias a répondu par une erreur (HTTP {status}).',
    'Demandez à l’exploitant pourquoi un serveur a répondu HTTP {status} à cette minute : qu’il vérifie l’état de PostgreSQL et du stockage.',
  ],
  watermark_lost: [
    'Quelque chose a couvert ou retiré le filigrane : la lecture a été mise en pause.',
    'Demandez au spectateur de désactiver les extensions qui modifient les pages, comme celles du mode sombre.',
  ],
  watermark: [
    'Le filigrane a été altéré : la lecture a été arrêtée.',
    'Regardez les événements de sécurité de ce spectateur.',
  ],
  failed: [
    'Le navigateur n’a pas pu lire ce qu’il a reçu.',
    'Lisez la vidéo vous-même. Si elle se lit, demandez au spectateur de mettre le navigateur à jour ; sinon, créez la vidéo de nouveau.',
    '{device} n’a pas pu lire ce qu’il a reçu.',
  ],
  drm_device_revoked: [
    'L’appareil du spectateur est révoqué : il ne reçoit pas de licence.',
    'Demandez à l’exploitant de rétablir l’appareil avec « reelgate devices restore » si c’était une erreur.',
  ],
  drm_security_too_low: [
    'L’appareil est moins sûr que les licences du compte ne l’exigent.',
    'Demandez au spectateur d’utiliser Edge sous Windows, Safari sur un appareil Apple, ou un autre appareil.',
    '{device} est moins sûr que les licences du compte ne l’exigent.',
  ],
  drm_output_blocked: [
    'L’écran connecté ne protège pas l’image (HDCP).',
    'Demandez au spectateur de débrancher écrans externes et adaptateurs, et d’arrêter le partage d’écran.',
  ],
  drm_unavailable: [
    'Le serveur de licences du fournisseur de DRM n’a pas répondu.',
    'Demandez à l’exploitant d’exécuter « reelgate doctor drm ».',
  ],
  drm_expired: ['La licence de la vidéo a expiré et n’a pas été renouvelée.', RELOAD],
  drm_no_cdm: [
    'Ce navigateur n’a pas de DRM capable de lire la vidéo, ou il est désactivé.',
    'Demandez au spectateur d’autoriser le contenu protégé (DRM) dans les réglages du navigateur, ou d’utiliser Chrome, Edge, Firefox ou Safari.',
    '{device} n’a pas de DRM capable de lire la vidéo, ou il est désactivé.',
  ],
  invalid_request: [
    'L’application a envoyé une requête illisible.',
    'Demandez au spectateur de mettre l’application à jour.',
  ],
  invalid_link: [
    'Le lien qui a ouvert l’application est incomplet ou a été modifié.',
    'Ouvrez l’application avec le lien de la page, sans le modifier.',
  ],
  app_playback_off: [
    'L’application est désactivée dans cette installation.',
    'Demandez à l’exploitant de régler APP_PLAYBACK, ou désactivez le mode App-Only.',
  ],
  multi_drm_required: [
    'L’application ne lit que des vidéos Multi-DRM, et cette vidéo a une autre protection.',
    'Demandez au spectateur de lire la vidéo dans le navigateur.',
  ],
  invalid_challenge: [
    'L’application a utilisé un défi expiré, ou celui d’un autre lien.',
    'Demandez au spectateur de rouvrir la vidéo depuis la page ; l’horloge de l’appareil doit être juste.',
  ],
  attestation_required: [
    'L’application ne s’est pas attestée, ce que cette installation exige.',
    'Demandez au spectateur d’installer l’application depuis son magasin.',
  ],
  attestation_refused: [
    'L’attestation de l’application a été refusée : l’application ou l’appareil n’est pas authentique.',
    'Demandez au spectateur d’installer l’application depuis son magasin, sur un appareil non débridé.',
  ],
  unknown_attestation_key: [
    'L’application a utilisé une clé qui n’est plus connue ici.',
    'Demandez au spectateur de rouvrir la vidéo : l’application atteste alors une nouvelle clé.',
  ],
  video_not_ready: [
    'La vidéo était encore en préparation quand l’application l’a demandée.',
    'Attendez que la vidéo soit lisible.',
  ],
}
