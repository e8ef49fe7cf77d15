import { plural } from '../../../locales/plural.ts'
import type { VideosWords } from './en.ts'

export const es: VideosWords = {
  tabs: {
    label: 'Secciones de este vídeo',
    overview: 'Resumen',
    captions: 'Subtítulos',
    chapters: 'Capítulos',
    moments: 'Momentos',
    poster: 'Póster',
    renditions: 'Calidades',
    embed: 'Incrustar',
  },
  details: {
    title: 'Descripción',
    edit: 'Editar',
    name: 'Título',
    description: 'Descripción',
    noDescription: 'Sin descripción',
    folder: 'Carpeta',
    save: 'Guardar',
    editAll: 'Editar título y descripción',
  },
  share: {
    title: 'Compartir',
    copyLink: 'Copiar enlace',
    copyAddress: 'Copiar dirección de incrustación',
    turnOn: 'Activar Direct Play para tener un enlace a una página',
    copyCode: 'Copiar código de incrustación',
    form: 'Forma del código de incrustación',
    needsToken: 'La reproducción exige un token de espectador.',
    sign: 'Firmar uno',
  },
  facts: {
    protection: 'Protección',
    everySite: 'Cualquier sitio',
    token: 'token de espectador obligatorio',
    noToken: 'sin token de espectador',
    sites: plural({
      one: '{number} dominio permitido',
      other: '{number} dominios permitidos',
    }),
  },
  encoding: {
    starts: 'Empieza en cuanto haya un worker libre.',
    chunks: '{name}: {done} de {count} partes hechas, {running} en curso',
    announced: '{percent} codificado',
    stages: {
      done: 'Hecho',
      running: 'En curso',
      waiting: 'En espera',
    },
  },
  failure: {
    again: 'Añadirlo de nuevo',
  },
  warnings: {
    title: 'Distinto del archivo de origen',
    texts: {
      picture_damaged:
        'El {number} % de la imagen está dañado o falta en el archivo. Ahí se mantiene el último fotograma correcto.',
      sound_damaged:
        'El {number} % de una pista de audio está dañado o falta en el archivo. Ahí hay silencio.',
      video_tracks_dropped:
        'Otras pistas de vídeo que no se reproducen: {number}. Se usa la predeterminada.',
      audio_tracks_dropped:
        'Pistas de audio que no se reproducen, porque son demasiadas o no se pueden leer: {number}',
      surround_downmixed:
        'Pistas de audio con sonido envolvente que se reproducen en estéreo: {number}',
      subtitles_dropped:
        'Pistas de subtítulos que no se muestran, porque son imágenes, repiten un idioma o no se pueden leer: {number}',
      chapters_dropped:
        'Capítulos del archivo que no se muestran, porque se solapan o quedan fuera del vídeo: {number}',
      data_tracks_dropped: 'Pistas de datos que no se conservan, como códigos de tiempo: {number}',
      attachments_dropped:
        'Archivos adjuntos que no se conservan, como fuentes y portadas: {number}',
      hdr_converted: 'La imagen HDR se muestra en SDR.',
      transparency_dropped: 'Las partes transparentes de la imagen no se muestran como tales.',
      corners_cut: 'La imagen está girada en un ángulo no recto. Sus esquinas quedan cortadas.',
      frame_rate_reduced:
        'El archivo tiene {number} fotogramas por segundo. Se reproducen 60 como máximo.',
    },
  },
  captions: {
    list: 'Subtítulos de este vídeo',
    empty: 'Este vídeo aún no tiene subtítulos.',
    emptyHint: 'Añada un archivo WebVTT. Los espectadores eligen el idioma en el reproductor.',
    default: 'Predeterminado',
    shownAtStart: 'Los reproductores muestran los subtítulos desde el principio.',
    hiddenAtStart: 'Los reproductores muestran los subtítulos cuando el espectador los activa.',
    defaultLanguage: 'Idioma predeterminado:',
    settings:
      'Vale para todos los vídeos de la cuenta y forma parte de los ajustes del reproductor.',
    show: 'Mostrar texto',
    hide: 'Ocultar texto',
    replace: 'Sustituir',
    replaceTitle: 'Sustituir «{label}»',
    add: 'Añadir subtítulos',
    addInstead: 'Añadir otro idioma en su lugar',
    choose: 'Elegir un archivo',
    drop: 'O suelte aquí un archivo WebVTT (.vtt, {size} como máximo).',
    tooLarge: 'El archivo supera {size}.',
    language: 'Idioma',
    languageHint: 'Un código como en o pt-BR',
    label: 'Nombre',
    labelHint: 'Como lo ven los espectadores en el reproductor',
    deleteTitle: '¿Eliminar estos subtítulos?',
    deleteText: '«{label}» se elimina y deja de ofrecerse en el reproductor.',
    deleteSubmit: 'Eliminar subtítulos',
  },
  chapters: {
    hint: 'Reproduzca el vídeo y añada un capítulo donde empieza. Arrastre un límite o muévalo con las flechas. Para los espectadores nada cambia hasta que guarde.',
    empty: 'Aún no hay capítulos.',
  },
  moments: {
    hint: 'Reproduzca el vídeo y añada un momento donde ocurre. Arrástrelo o muévalo con las flechas. Para los espectadores nada cambia hasta que guarde.',
    empty: 'Aún no hay momentos.',
  },
  marks: {
    timeline: 'Línea de tiempo: {title}',
    untitled: 'Sin título',
    text: 'Título',
    start: 'Inicio',
    end: 'Fin',
    time: 'Tiempo',
    startOf: 'Inicio de {title}',
    endOf: 'Fin de {title}',
    remove: 'Quitar {title}',
    play: 'Reproducir',
    playFrom: 'Reproducir desde {title}',
    addAt: 'Añadir en {time}',
    taken: 'Ya hay uno en este punto, o no queda tiempo.',
    notTime: 'Minutos y segundos, como 1:05',
    unsaved: plural({ one: '{number} cambio sin guardar', other: '{number} cambios sin guardar' }),
    refused: 'Los cambios no se han guardado. Vea el campo marcado.',
  },
  poster: {
    current: 'Póster actual',
    public:
      'Lo puede ver cualquiera que tenga la dirección. Una nueva elección aparece enseguida en las páginas que se abran.',
    none: 'El póster se crea cuando todas las calidades están listas.',
    frames: 'Elegir una imagen',
    hint: 'Estas imágenes solo se ven aquí hasta que elija una.',
    noFrames:
      'No se guardaron fotogramas de este vídeo, porque lo preparó una versión anterior. Puede subir una imagen en su lugar.',
    automatic: 'Automático',
    frame: 'Fotograma {number}',
    chosen: 'El póster ha cambiado.',
    uploaded: 'Subida',
    own: 'Subir su propia imagen',
    choose: 'Elegir un archivo',
    drop: 'O suelte aquí un JPEG, PNG o WebP: como máximo {size} y, mejor, de al menos 1280 píxeles de ancho.',
    tooLarge: 'El archivo supera {size}.',
    preview: 'La imagen elegida',
    ownHint:
      'Será el póster en cuanto esté preparada, sin cambiar de forma. Se eliminan la ubicación y otros datos ocultos del archivo.',
    upload: 'Usar como póster',
    preparing: 'Su imagen se está preparando. El póster cambiará enseguida.',
    unchanged: 'El póster no ha cambiado.',
    refusals: {
      format: 'No es una imagen JPEG, PNG o WebP.',
      animated: 'La imagen está animada. Un póster es una imagen fija.',
      pixels: 'La imagen tiene más de 50 millones de píxeles.',
      small: 'La imagen es demasiado pequeña: su lado más largo necesita al menos 320 píxeles.',
      damaged: 'La imagen está dañada o incompleta. Guárdela de nuevo o elija otra.',
      storage: 'El almacenamiento del plan está lleno.',
      busy: 'Todavía se preparan diez imágenes de esta cuenta. Inténtelo de nuevo en un momento.',
      internal: 'No se pudo preparar la imagen. Inténtelo de nuevo.',
    },
  },
  renditions: {
    none: 'Las calidades aparecen aquí en cuanto se publican.',
    name: 'Calidad',
    picture: 'Imagen',
    codecs: 'Códecs',
    bitRate: 'Tasa máxima',
    size: 'Tamaño',
    published: 'Publicada',
    video: 'Vídeo',
    audio: 'Audio',
    total: 'Almacenado en total: {size}.',
    other:
      'De ello, {size} son pósteres, fotogramas, vistas previas y, si se conserva, el original.',
  },
  embed: {
    code: 'Código de incrustación',
    form: 'Forma del código',
    sizes: 'Ocupa el ancho de su lugar, a 16:9; cambie el tamaño en su página.',
    hints: {
      iframe: 'Funciona en cualquier página.',
      script: 'Tiene play(), currentTime y eventos, como un <video>.',
      react: 'El componente de @reelgate/sdk.',
      vue: 'El componente de @reelgate/sdk.',
    },
    sites: 'Dónde se reproduce',
    everySite: 'En cualquier sitio.',
    onlySites: 'Solo en: {sites}.',
    notSites: 'Nunca en: {sites}.',
    changeSites: 'Cambiar dominios',
    token: 'Firmar un token de espectador en su servidor',
    tokenHint:
      'Si la reproducción exige tokens, su servidor firma uno para cada espectador. El código imprime la dirección de la incrustación.',
    tokenWarning:
      'El secreto de firma está en los ajustes de la marca de agua. Guárdelo en su servidor y envíe las páginas con token con Cache-Control: private, no-store.',
    sdk: 'O pedir un token con el SDK',
    sdkHint: 'Necesita una clave de API con el permiso playback:sign.',
  },
  list: {
    label: 'Selección',
    select: 'Seleccionar {title}',
    selectAll: 'Seleccionar todos los de esta página',
    selected: plural({
      one: '{number} vídeo seleccionado',
      other: '{number} vídeos seleccionados',
    }),
    allMatching: plural({
      one: 'Seleccionar {number} resultado',
      other: 'Seleccionar los {number} resultados',
    }),
    onlyPage: 'Solo esta página',
    move: 'Mover',
    clear: 'Quitar la selección',
    moveTitle: plural({ one: 'Mover {number} vídeo', other: 'Mover {number} vídeos' }),
    deleteTitle: plural({ one: 'Eliminar {number} vídeo', other: 'Eliminar {number} vídeos' }),
    deleteText: 'Se eliminan estos vídeos:',
    deleteSubmit: plural({ one: 'Eliminar {number} vídeo', other: 'Eliminar {number} vídeos' }),
    titleHas: 'El título contiene',
    filter: 'Filtro',
    noFilter: 'ninguno: todos los vídeos de la cuenta',
  },
  add: {
    newFolder: 'Carpeta nueva…',
    newFolderName: 'Nombre de la carpeta nueva',
    refused: {
      invalid_source_url:
        'Esto no es un enlace a un archivo. Empieza por https:// y no tiene otro puerto que 443 u 8443.',
      source_not_allowed:
        'Este enlace lleva a una red privada. Usa una dirección que cualquiera pueda abrir en internet.',
      source_unreachable:
        'El archivo no se puede abrir con este enlace. Comprueba que se abre en una ventana privada, sin iniciar sesión.',
      unsupported_source_type:
        'En este enlace no hay un archivo de vídeo, sino quizá una página que lo muestra. Usa el enlace al propio archivo.',
      source_too_large:
        'El archivo es demasiado grande. Expórtalo más pequeño e inténtalo de nuevo.',
      insufficient_storage:
        'El plan no tiene espacio para este archivo. Libera almacenamiento o cambia de plan.',
      too_many_redirects: 'El enlace redirige demasiadas veces. Usa el enlace en el que termina.',
      folder_exists: 'Ya existe una carpeta con este nombre. Elígela en la lista.',
      too_many_folders: 'La cuenta ya tiene las 1.000 carpetas que puede tener.',
    },
  },
  folders: {
    title: 'Carpetas',
    empty: 'Aún no hay carpetas.',
    newName: 'Carpeta nueva',
    create: 'Crear',
    rename: 'Nombre de la carpeta {name}',
    remove: 'Eliminar la carpeta {name}',
  },
}
