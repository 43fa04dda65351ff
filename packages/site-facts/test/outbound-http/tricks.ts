/** @file Tricks that try to reach what is not public. `{port}` is the port of the trap. */

/** Hosts that are this machine: a client without the check reaches it by each of them. */
export const HOSTS_OF_THIS_MACHINE = [
  ...[
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '2130706433',
    '2130706433.',
  ],
  ...['0x7f000001', '0X7F000001', '0x7f.1', '0x7f.0x0.0x0.0x1', '0x7F.0.0.1', '127.0.0.0x1'],
  ...[
    '017700000001',
    '0177.0.0.1',
    '0177.0.0.01',
    '00000177.0.0.1',
    '127.0x000000001',
    '127.0.0.01',
  ],
  ...['%31%32%37.0.0.1', '127%2e0%2e0%2e1', '①②⑦.0.0.1', '１２７。０。０。１', '127｡0｡0｡1'],
  ...['𝟏𝟐𝟕.𝟎.𝟎.𝟏', '0𝚡7f.1', '1\u00ad27.0.0.1', '0.0.0.0', '0', '0x0', '0.0'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0.0.0.1]'],
  ...['[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:0001]'],
  ...['[::FFFF:127.255.0.1]', '[::ffff:0.0.0.0]'],
];

/** URLs of this machine in which another host seems to be meant. */
export const URLS_OF_THIS_MACHINE = [
  ...HOSTS_OF_THIS_MACHINE.map((host) => `http://${host}:{port}/`),
  ...['http:127.0.0.1:{port}', 'http:/127.0.0.1:{port}/', 'http:////127.0.0.1:{port}/'],
  ...['http:\\\\127.0.0.1:{port}\\', 'http:\\/127.0.0.1:{port}/', ' \n http://127.0.0.1:{port}/ '],
  ...['ht\ttp://127.\n0.0.1:{port}/', 'HtTp://127.0.0.1:{port}/', 'http://@127.0.0.1:{port}/'],
  ...['http://127.0.0.1:{port}#@acme.example/', 'http://127.0.0.1:{port}?@acme.example/'],
  ...['http://127.0.0.1:{port}\\@acme.example/', 'http://127.0.0.1:{port}/@acme.example:80/'],
  ...['http://127.0.0.1:{port}/\r\nHost: acme.example', 'http://127.0.0.1:0{port}/'],
  ...['https://127.0.0.1:{port}/', 'https://[::1]:{port}/', 'https://2130706433:{port}/'],
];

/** Hosts that are not public, elsewhere. */
export const OTHER_HOSTS = [
  ...['10.0.0.1', '012.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '0xc0a80101'],
  ...['100.64.0.1', '100.100.100.200', '169.254.169.254', '2852039166', '0xA9.0xFE.0xA9.0xFE'],
  ...['168.63.129.16', '192.0.0.192', '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1'],
  ...['192.175.48.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['239.255.255.250', '240.0.0.1', '255.255.255.255', '4294967295', '0.1.2.3'],
  ...['[::127.0.0.1]', '[::10.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]'],
  ...['[::ffff:93.184.215.14]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a00:1]'],
  ...['[64:ff9b::93.184.215.14]', '[64:ff9b:1::7f00:1]', '[64:ff9b:1:ffff::1]', '[2002:7f00:1::]'],
  ...['[2002:a00:1::1]', '[2002:5db8:d70e::]', '[2001:0:7f00:1::]', '[2001::ffff:80ff:fffe]'],
  ...[
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[ff0e::1]',
  ],
  ...[
    '[2001:db8::1]',
    '[3fff::1]',
    '[2001:2::1]',
    '[2001:3::1]',
    '[2001:4:112::1]',
    '[2001:10::1]',
  ],
  ...['[2001:20::1]', '[2001:30::1]', '[2620:4f:8000::1]', '[100::1]', '[5f00::1]', '[4000::1]'],
  ...['[::2]', '[1::1]', '[1fff:ffff::1]', '[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]'],
];

/** Names that are not of the public DNS. */
export const LOCAL_NAMES = [
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'acme.localhost',
    'loc%61lhost',
    'ｌｏｃａｌｈｏｓｔ',
  ],
  ...[
    'ⓛocalhost',
    'local\u00adhost',
    'localhost.localdomain',
    'ip6-localhost',
    'router',
    'intranet',
  ],
  ...['metadata', 'metadata.google.internal', 'metadata.google.internal.', 'printer.local'],
  ...[
    'kubernetes.default.svc.cluster.local',
    'nas.home.arpa',
    '1.0.0.127.in-addr.arpa',
    'fritz.home',
  ],
  ...['gateway.lan', 'wiki.corp', 'db.private', 'www.intranet', 'acme.onion'],
];

/** URLs that are not requested, whatever their host. */
export const BAD_URLS = [
  ...[
    'ftp://acme.example/',
    'file:///etc/passwd',
    'file://acme.example/',
    'gopher://acme.example:80/',
  ],
  ...['data:text/html,hello', 'javascript:alert(1)', 'ws://acme.example/', 'wss://acme.example/'],
  ...[
    'blob:http://acme.example/1',
    'ldap://acme.example/',
    'dict://acme.example:80/',
    'unix:/socket',
  ],
  ...[
    'about:blank',
    'mailto:ada@acme.example',
    'view-source:http://acme.example/',
    '//acme.example/',
  ],
  ...[
    'acme.example',
    '',
    ' ',
    'http://',
    'http:///',
    'http://?',
    'http://.',
    'http://..',
    'http://a b/',
  ],
  ...['http://acme.example:22/', 'http://acme.example:6379/', 'http://acme.example:8080/'],
  ...['http://acme.example:0/', 'http://acme.example:65536/', 'http://acme.example:-1/'],
  ...['http://acme.example:80443/', 'https://acme.example:25/', 'http://127.0.0.1:5432/'],
  ...['http://acme.example@127.0.0.1:{port}/', 'http://acme.example:80@127.0.0.1:{port}/'],
  ...['http://:@acme.example:x/', 'http://ada:secret@acme.example/', 'http://ada@acme.example/'],
  ...['http://:secret@acme.example/', 'http://acme.example%40127.0.0.1:{port}/'],
  ...['http://127.0.0.1..:{port}/', 'http://2130706433..:{port}/', 'http://1.2.3.4.5/'],
  ...['http://256.0.0.1/', 'http://0x100000000/', 'http://127.0.0.1.1/', 'http://acme.0x7f/'],
  ...['http://08.0.0.1/', 'http://127.0.0.1a/'],
  ...['http://[fe80::1%25lo]:{port}/', 'http://[::1%lo]:{port}/', 'http://[::1/', 'http://::1/'],
  ...[
    'http://[127.0.0.1]:{port}/',
    'http://[::1].example/',
    'http://a..example/',
    'http://.example/',
  ],
  ...[
    'http://*.example/',
    'http://acme$.example/',
    'http://acme%00.example/',
    'http://ac!me.example/',
  ],
  ...[`http://${'a'.repeat(64)}.example/`, `http://${'a.'.repeat(126)}example/`],
  ...[`http://acme.example/${'a'.repeat(4_096)}`, `http://acme.example/${'ж'.repeat(1_000)}`],
];

/** Answers of DNS that make a name not public; `reaches` this machine without the check. */
export const DNS_ANSWERS: readonly { readonly answers: readonly string[]; reaches?: boolean }[] = [
  ...['127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1'].map((answer) => ({
    answers: [answer],
    reaches: true,
  })),
  { answers: ['127.0.0.1', '93.184.215.14'], reaches: true },
  { answers: ['93.184.215.14', '127.0.0.1'] },
  { answers: ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1'] },
  { answers: ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '10.0.0.1'] },
  { answers: [...Array.from({ length: 63 }, (_, index) => `93.184.215.${index}`), '10.0.0.1'] },
  ...['10.0.0.1', '172.20.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.1'],
  ...['224.0.0.1', '255.255.255.255', 'fe80::1', 'fe80::1%lo', '::1%lo', 'fd00::1', 'ff02::1'],
  ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:1::', '::7f00:1', '::ffff:0:7f00:1', '3fff::1'],
  ...['127.1', '0177.0.0.1', '2130706433', '0x7f.1', ' 127.0.0.1', '127.0.0.1 ', 'localhost', ''],
].map((entry) => (typeof entry === 'string' ? { answers: [entry] } : entry));
