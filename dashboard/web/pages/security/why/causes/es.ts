import type { CauseTexts } from './cause-texts.ts'

const FRESH =
  'Haga que su servidor cree un token de espectador para cada visita a la página y use la embed_url de la respuesta.'
const RELOAD = 'Pida al espectador que vuelva a cargar la página.'

export const es: CauseTexts = {
  malformed: [
    'La dirección del reproductor está incompleta o se modificó: no lleva a ningún vídeo.',
    'Copie de nuevo el código de inserción del vídeo, sin cambios.',
  ],
  not_found: [
    'El vídeo no existe en esta cuenta o se eliminó.',
    'Compare la dirección con el código de inserción del vídeo y quite de la página el reproductor de un vídeo eliminado.',
  ],
  direct_play_not_found: [
    'La página de Direct Play no existe: Direct Play está desactivado o no hay tal vídeo.',
    'Active Direct Play si los enlaces a los vídeos deben funcionar sin un sitio web.',
  ],
  rate_limited: [
    'La red del espectador envió demasiadas solicitudes que se rechazaron, como páginas sin un token de espectador válido.',
    FRESH,
  ],
  internal_error: [
    'El host del reproductor tuvo un error interno.',
    'Pida al operador que busque este minuto en el registro del host del reproductor.',
  ],
  service_unavailable: [
    'El host del reproductor no pudo acceder por un momento a su base de datos o a su almacenamiento.',
    'Pida al operador que revise el estado de PostgreSQL y del almacenamiento en este minuto.',
  ],
  video_failed: [
    'El vídeo no se pudo procesar, así que no hay nada que reproducir.',
    'Abra el vídeo: su página dice por qué falló. Después, créelo de nuevo.',
  ],
  settings_changed: [
    'Los ajustes del vídeo cambiaron después de que se cargara la página.',
    RELOAD,
  ],
  no_referrer: [
    'El navegador no dijo en qué sitio está el vídeo, así que ninguna regla de dominios pudo permitirlo.',
    'Envíe la página sin «Referrer-Policy: no-referrer» y use el código de inserción del vídeo, con su atributo referrerpolicy.',
  ],
  domain_blocked: [
    'El sitio está en la lista de dominios bloqueados.',
    'Quite el sitio de los dominios bloqueados si puede mostrar sus vídeos.',
    'La lista de dominios bloqueados rechaza {host}.',
    'Quite {host} de los dominios bloqueados si puede mostrar sus vídeos.',
  ],
  domain_not_allowed: [
    'El sitio no está en la lista de dominios permitidos.',
    'Añada el sitio a los dominios permitidos.',
    '{host} no está en la lista de dominios permitidos.',
    'Añada {host} a los dominios permitidos.',
  ],
  token_missing: [
    'La cuenta exige tokens de espectador y la dirección del reproductor no tenía ninguno.',
    FRESH,
  ],
  token_expired: [
    'El token de espectador ya había caducado cuando se cargó el reproductor.',
    'Es probable que su página esté en una caché o llevara mucho tiempo abierta: cree un token para cada visita y envíe la página con «Cache-Control: no-store».',
    'El token de espectador caducó {ago} antes de que se cargara el reproductor.',
  ],
  token_forged: [
    'El token de espectador no es auténtico: se modificó por el camino o se firmó con otro secreto.',
    'Compare el secreto de firma de su servidor con el de la cuenta: puede ser el anterior a un cambio.',
  ],
  exp_in_milliseconds: [
    'El token de espectador es auténtico, pero su exp es una hora en milisegundos.',
    'Escriba exp como tiempo Unix en segundos donde su servidor firma los tokens.',
  ],
  viewer_revoked: [
    'El espectador está revocado: todos sus tokens se rechazan.',
    'Restaure al espectador si fue un error.',
    'El espectador {viewer} está revocado: todos sus tokens se rechazan.',
    'Restaure a {viewer} si fue un error.',
  ],
  open_app: [
    'El modo App-Only está activado y en Android el vídeo solo se reproduce en la aplicación.',
    'Pida al espectador que abra el vídeo en la aplicación o desactive el modo App-Only.',
  ],
  open_edge: [
    'El modo App-Only está activado y en Windows el vídeo solo se reproduce en Edge.',
    'Pida al espectador que abra la página en Edge o desactive el modo App-Only.',
    'El modo App-Only está activado y esto era {device}: en Windows el vídeo solo se reproduce en Edge.',
  ],
  open_safari: [
    'El modo App-Only está activado y en dispositivos Apple el vídeo solo se reproduce en Safari.',
    'Pida al espectador que abra la página en Safari o desactive el modo App-Only.',
    'El modo App-Only está activado y esto era {device}: en dispositivos Apple el vídeo solo se reproduce en Safari.',
  ],
  guidance: [
    'El modo App-Only está activado y este navegador no tiene DRM por hardware.',
    'Pida al espectador que use la aplicación de Android, Edge en Windows o Safari en un dispositivo Apple, o desactive el modo App-Only.',
    'El modo App-Only está activado y {device} no tiene DRM por hardware.',
  ],
  no_hardware: [
    'El modo App-Only está activado y este navegador no tiene DRM por hardware en este dispositivo.',
    'Pida al espectador que actualice el sistema y active la aceleración por hardware, o que use otro dispositivo.',
    'El modo App-Only está activado y {device} no tiene DRM por hardware en este dispositivo.',
  ],
  no_script: [
    'JavaScript estaba desactivado o el iframe tiene un atributo sandbox que lo bloquea.',
    'Quite el atributo sandbox del iframe o pida al espectador que active JavaScript.',
  ],
  no_encrypted_media: [
    'El iframe no deja descifrar al reproductor: a su atributo allow le falta encrypted-media.',
    'Use el código de inserción del vídeo sin cambios, con su atributo allow.',
    'El iframe en {host} no deja descifrar al reproductor: a su atributo allow le falta encrypted-media.',
  ],
  sandboxed: [
    'El iframe tiene un atributo sandbox, en el que no se reproducen vídeos protegidos.',
    'Quite el atributo sandbox del iframe.',
  ],
  insecure: [
    'La página no se cargó por https y los navegadores solo descifran en páginas seguras.',
    'Sirva por https la página que contiene el reproductor.',
    'La página en {host} no se cargó por https y los navegadores solo descifran en páginas seguras.',
  ],
  unsupported: [
    'Este navegador no puede reproducir vídeos protegidos.',
    'Pida al espectador que actualice el navegador o use Chrome, Edge, Firefox o Safari.',
    '{device} no pudo reproducir el vídeo protegido.',
  ],
  licence_refused: [
    'Se rechazó la clave del vídeo: la sesión había terminado o no era válida, o el proveedor de DRM no tiene licencia para él.',
    'Pida al espectador que recargue la página. Si eso no ayuda con un vídeo Multi-DRM, pida al operador que ejecute «reelgate doctor drm».',
  ],
  secret_rotated: [
    'El secreto de firma se reemplazó durante la reproducción, lo que termina todas las sesiones.',
    RELOAD,
  ],
  video_deleted: [
    'El vídeo se eliminó mientras la página estaba abierta.',
    'Quite el reproductor de la página o inserte otro vídeo.',
  ],
  too_many_streams: [
    'El espectador reproducía más vídeos a la vez de los que permite la cuenta.',
    'Pida al espectador que cierre otros reproductores o aumente el límite.',
    '{viewer} reproducía más vídeos a la vez de los que permite la cuenta.',
  ],
  session_ended: [
    'La reproducción se terminó: desde el panel, por reglas de dominios modificadas, porque ahora se exigen tokens o porque no dio señales durante mucho tiempo.',
    RELOAD,
  ],
  network: [
    'Se perdió la conexión del espectador, o un cortafuegos bloquea el reproductor o el host de medios.',
    'Pida al espectador que pruebe otra red. Si les pasa a muchos, compruebe que sus redes llegan al reproductor y al host de medios.',
    'El host del reproductor o el host de medios respondió con un error (HTTP {status}).',
    'Pregunte al operador por qué un servidor respondió con HTTP {status} en este minuto: que revise el estado de PostgreSQL y del almacenamiento.',
  ],
  watermark_lost: [
    'Algo tapó o quitó la marca de agua, así que la reproducción se detuvo.',
    'Pida al espectador que desactive las extensiones que modifican páginas, como las de modo oscuro.',
  ],
  watermark: [
    'Se manipuló la marca de agua, así que la reproducción se terminó.',
    'Revise los eventos de seguridad de este espectador.',
  ],
  failed: [
    'El navegador no pudo reproducir lo que recibió.',
    'Reproduzca el vídeo usted mismo. Si funciona, pida al espectador que actualice el navegador; si no, cree el vídeo de nuevo.',
    '{device} no pudo reproducir lo que recibió.',
  ],
  drm_device_revoked: [
    'El dispositivo del espectador está revocado: no recibe licencias.',
    'Pida al operador que restaure el dispositivo con «reelgate devices restore» si fue un error.',
  ],
  drm_security_too_low: [
    'El dispositivo es menos seguro de lo que exigen las licencias de la cuenta.',
    'Pida al espectador que use Edge en Windows, Safari en un dispositivo Apple u otro dispositivo.',
    '{device} es menos seguro de lo que exigen las licencias de la cuenta.',
  ],
  drm_output_blocked: [
    'La pantalla conectada no protege la imagen (HDCP).',
    'Pida al espectador que desconecte pantallas externas y adaptadores y deje de compartir la pantalla.',
  ],
  drm_unavailable: [
    'El servidor de licencias del proveedor de DRM no respondió.',
    'Pida al operador que ejecute «reelgate doctor drm».',
  ],
  drm_expired: ['La licencia del vídeo caducó y no se renovó.', RELOAD],
  drm_no_cdm: [
    'Este navegador no tiene un DRM que pueda reproducir el vídeo, o está desactivado.',
    'Pida al espectador que permita el contenido protegido (DRM) en los ajustes del navegador o que use Chrome, Edge, Firefox o Safari.',
    '{device} no tiene un DRM que pueda reproducir el vídeo, o está desactivado.',
  ],
  invalid_request: [
    'La aplicación envió una solicitud que no se pudo leer.',
    'Pida al espectador que actualice la aplicación.',
  ],
  invalid_link: [
    'El enlace que abrió la aplicación está incompleto o se modificó.',
    'Abra la aplicación con el enlace de la página, sin cambios.',
  ],
  app_playback_off: [
    'La aplicación está desactivada en esta instalación.',
    'Pida al operador que configure APP_PLAYBACK o desactive el modo App-Only.',
  ],
  multi_drm_required: [
    'La aplicación solo reproduce vídeos Multi-DRM, y este vídeo tiene otra protección.',
    'Pida al espectador que reproduzca el vídeo en el navegador.',
  ],
  invalid_challenge: [
    'La aplicación usó un desafío que había caducado o era de otro enlace.',
    'Pida al espectador que abra de nuevo el vídeo desde la página; el reloj del dispositivo debe estar en hora.',
  ],
  attestation_required: [
    'La aplicación no se identificó, y esta instalación lo exige.',
    'Pida al espectador que instale la aplicación desde su tienda.',
  ],
  attestation_refused: [
    'Se rechazó la identificación de la aplicación: la aplicación o su dispositivo no son auténticos.',
    'Pida al espectador que instale la aplicación desde su tienda, en un dispositivo sin acceso root.',
  ],
  unknown_attestation_key: [
    'La aplicación usó una clave que aquí ya no se conoce.',
    'Pida al espectador que abra el vídeo de nuevo: la aplicación identifica entonces una clave nueva.',
  ],
  video_not_ready: [
    'El vídeo aún se estaba preparando cuando la aplicación lo pidió.',
    'Espere a que el vídeo se pueda reproducir.',
  ],
}
