import type { PageTexts } from './page-texts.ts'

export const es: PageTexts = {
  forOwner: 'Para el responsable de este sitio',
  reportCode: 'Código',
  request: 'Solicitud',
  copyDetails: 'Copiar detalles',
  copied: 'Copiado',
  malformed: {
    title: 'Esta dirección no está completa',
    text: 'Con ella no se puede encontrar ningún vídeo. Vuelva a la página de la que procede.',
    owner:
      'Una dirección de inserción termina en `/{video_id}/{base64_account_id}`: 20 caracteres hexadecimales y, después, el identificador de la cuenta en base64. Copie `embed_url` de la API tal cual:',
  },
  notFound: {
    title: 'Vídeo no encontrado',
    text: 'Este vídeo no existe o se ha eliminado.',
    owner:
      'La dirección está bien formada, pero su cuenta no tiene ese vídeo. Compárela con el `embed_url` de:',
  },
  broken: {
    title: 'Algo ha fallado',
    text: 'No se ha podido cargar el vídeo. Inténtelo de nuevo dentro de un momento.',
  },
  failed: {
    title: 'Este vídeo no se puede reproducir',
    text: 'No se ha podido procesar. Avise al responsable de este sitio.',
    owner:
      'El vídeo tiene el estado `failed`, que ya no cambia: vuelva a crearlo. El motivo está en el campo `error` de:',
  },
  outdated: {
    title: 'Los ajustes de este vídeo han cambiado',
    text: 'Vuelva a cargar la página en la que está el vídeo.',
  },
  noReferrer: {
    title: 'Este vídeo solo se reproduce dentro de un sitio web',
    text: 'Su navegador no ha indicado en qué sitio está insertado el vídeo. Abra la página a la que pertenece.',
    owner:
      'La solicitud no llevaba la cabecera `Referer`. Compruebe que la página no envíe `Referrer-Policy: no-referrer` y ponga este atributo en el iframe:',
  },
  domainBlocked: {
    title: 'Este vídeo no está disponible en este sitio',
    text: (host) => `El propietario del vídeo ha bloqueado \`${host}\`.`,
    owner: () =>
      'Los dominios bloqueados tienen prioridad sobre los permitidos. Para mostrar el vídeo aquí, quite de `blocked_domains`, en los ajustes del reproductor, la entrada que coincide con este host:',
  },
  domainNotAllowed: {
    title: 'Este vídeo no está disponible en este sitio',
    text: (host) => `El propietario del vídeo no ha autorizado \`${host}\`.`,
    owner: (host) =>
      `Añada esta entrada a \`allowed_domains\` en los ajustes del reproductor. Solo vale para este host; \`*.${host}\` valdría para sus subdominios.`,
  },
  tokenMissing: {
    title: 'Abra este vídeo desde su sitio',
    text: 'Solo se reproduce con un enlace personal que su sitio crea para usted.',
    owner:
      'La cuenta exige tokens de espectador y a la dirección le falta `vt`. Cree en su servidor un token para cada visita a la página y use su `embed_url`:',
  },
  tokenExpired: {
    title: 'Este enlace ha caducado',
    text: 'Vuelva a cargar la página en la que está el vídeo.',
    owner:
      'El token de espectador de `vt` ha caducado. Cree uno nuevo cada vez que se cargue la página; `exp` es tiempo Unix en segundos, no en milisegundos.',
  },
  tokenForged: {
    title: 'Este enlace no es válido',
    text: 'Vuelva a cargar la página en la que está el vídeo.',
    owner:
      'El token de espectador de `vt` no se puede verificar: se modificó por el camino o se firmó con otro secreto, por ejemplo, uno anterior a una rotación. La clave HMAC es el secreto como texto, los 64 caracteres, sin descodificar el hexadecimal.',
  },
  expInMilliseconds:
    'El token de espectador de `vt` es auténtico, pero su `exp` es un tiempo en milisegundos: no caducaría hasta dentro de miles de años, así que se rechaza. Escriba el tiempo Unix en segundos:',
  tokenRevoked: {
    title: 'Su acceso ha terminado',
    text: 'El propietario del vídeo lo ha retirado. Si cree que es un error, póngase en contacto con él.',
    owner:
      'El identificador de espectador de `vt` se revocó en la cuenta. Un token nuevo para el mismo identificador no le devuelve el acceso.',
  },
  tooMany: {
    title: 'Demasiadas solicitudes',
    text: 'Desde su red llegan demasiadas solicitudes que no pueden reproducir un vídeo. Espere un momento y vuelva a cargar la página en la que está el vídeo.',
    owner:
      'Las solicitudes sin un token de espectador válido están limitadas en cada red; las que llevan un `vt` válido, no: cree un token en cada visita a la página y use su `embed_url`:',
  },
  openApp: {
    title: 'Este vídeo se ve en la aplicación',
    text: 'En Android, este vídeo protegido solo se reproduce en la aplicación.',
  },
  openEdge: {
    title: 'Abra esta página en Microsoft Edge',
    text: 'En Windows, este vídeo protegido solo se reproduce en Edge. Copie la dirección de la página, abra Edge y péguela allí.',
  },
  openSafari: {
    title: 'Abra esta página en Safari',
    text: 'En Mac, iPhone y iPad, este vídeo protegido solo se reproduce en Safari. Copie la dirección de la página, abra Safari y péguela allí.',
  },
  guidance: {
    title: 'Este dispositivo no puede reproducir el vídeo',
    text: 'El vídeo necesita una protección por hardware que este navegador no tiene. Se reproduce en la aplicación de Android, en Edge en Windows y en Safari en Mac, iPhone y iPad.',
  },
  noHardware: {
    title: 'Falta la protección por hardware',
    text: 'Este navegador podría reproducir el vídeo, pero su protección por hardware falta o está desactivada. Instale las actualizaciones del sistema y del navegador, active la aceleración por hardware en los ajustes del navegador y recargue la página. Si no, utilice otro dispositivo o la aplicación de Android.',
  },
  openInApp: 'Abrir en la aplicación',
  getApp: 'Obtener la aplicación de Android',
  askForApp: '¿No tiene la aplicación? Pregunte al responsable de este sitio dónde obtenerla.',
  scanForApp:
    'Escanee este código con su teléfono Android para obtener la aplicación. Después, abra esta página en el teléfono.',
  directPlayNotFound: {
    title: 'Vídeo no encontrado',
    text: 'En esta dirección no hay ningún vídeo que ver.',
    owner:
      'O bien el vídeo no existe, o bien su cuenta tiene Direct Play desactivado (`direct_play` en los ajustes del reproductor).',
  },
  play: 'Reproducir',
  preview: 'Vista previa',
  needsScript:
    'Se necesita JavaScript para reproducir este vídeo. Para el propietario de este sitio: si el iframe tiene un atributo sandbox, quítelo, porque bloquea JavaScript.',
  untitledVideo: 'Vídeo',
}
