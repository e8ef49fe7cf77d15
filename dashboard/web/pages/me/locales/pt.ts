import type { MeWords } from './en.ts'

export const pt: MeWords = {
  save: 'Salvar',
  saved: 'Salvo',
  profile: {
    title: 'Perfil',
    text: 'Seu nome, como a equipe o vê.',
    name: 'Nome',
    email: 'Endereço de e-mail',
    emailHint: 'Serve para entrar.',
  },
  password: {
    title: 'Senha',
    text: 'Uma nova senha encerra suas outras sessões e retira os convites em aberto que você fez.',
    label: 'Nova senha',
    hint: 'Pelo menos {number} caracteres. Nenhuma senha comum, nem seu endereço, nem “Reelgate”.',
    refused:
      'Esta senha é fácil demais de adivinhar. Escolha uma que não seja comum, não siga um padrão e não contenha seu endereço nem “Reelgate”.',
    removePasskeys: 'Remover minhas chaves de acesso',
    removePasskeysHint:
      'Exceto a que você acabou de usar para confirmar. Mantenha-as só se todas forem suas.',
    submit: 'Alterar senha',
    done: 'A senha foi alterada',
    failures: 'Senhas erradas para o seu endereço: {number} desde {day}',
    failuresHint:
      'Se não foi você, alguém está tentando adivinhar. Depois de cinco senhas erradas, cada rede precisa esperar cada vez mais. Escolha uma senha longa que você não use em nenhum outro lugar, ou entre com uma chave de acesso.',
  },
  passkeys: {
    title: 'Chaves de acesso',
    text: 'Entre com sua impressão digital, rosto ou dispositivo, sem senha.',
    used: 'Último uso:',
    never: 'nunca',
    add: 'Adicionar uma chave de acesso',
    addText: 'Seu navegador vai pedir que você confirme.',
    addSubmit: 'Continuar',
    added: 'A chave de acesso foi adicionada',
    name: 'Nome',
    nameHint: 'Para reconhecê-la, como o nome do dispositivo.',
    notMade:
      'Nenhuma chave foi criada. Talvez você tenha cancelado, ou este dispositivo já tem uma.',
    unreadable:
      'O navegador não deu nada que seja uma chave de acesso. Talvez uma extensão de senhas esteja no meio: desative-a para esta página e tente de novo.',
    elsewhere:
      'As chaves de acesso funcionam em {own}, e esta página está em {here}. Abra o painel lá, ou peça ao operador que defina DASHBOARD_BASE_URL como {here}.',
    impossible:
      'As chaves de acesso precisam de um nome de host em https ou de localhost. Este endereço não tem.',
    rename: 'Renomear {name}',
    renameTitle: 'Renomear',
    remove: 'Remover {name}',
    removeTitle: 'Remover esta chave de acesso?',
    removeText: 'Você não poderá mais entrar com ela. Exclua-a também no seu dispositivo.',
    removeSubmit: 'Remover',
    removed: 'A chave de acesso foi removida',
  },
  sessions: {
    search: 'Buscar navegador ou endereço',
    noneFound: 'Nenhuma sessão tem este navegador ou endereço.',
    title: 'Sessões',
    text: 'Navegadores em que você entrou.',
    here: 'Este navegador',
    unknown: 'Navegador desconhecido',
    end: 'Sair',
    endOf: 'Sair: {name}',
    ended: 'A sessão terminou',
    endOthers: 'Sair de todas as outras',
    endedOthers: 'Todas as outras sessões terminaram',
  },
  preferences: {
    title: 'Preferências',
    text: 'Valem neste navegador.',
    shortcuts: 'Atalhos de uma letra',
    shortcutsHint: 'Pressione ? para vê-los. Nunca agem enquanto você digita.',
  },
}
