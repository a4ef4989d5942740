import type { JsonErrorCode } from '../src/errors.js';

/** A patch of a document: JSON texts, since JSON.parse would round numbers. */
export interface PatchCase {
  what: string;
  document: string;
  patch: string;
  /** The document afterwards; or the code of the refusal. */
  result: string | { code: JsonErrorCode };
}

const malformed = { code: 'invalid' } as const;
const impossible = { code: 'not_applicable' } as const;
const failed = { code: 'test_failed' } as const;

const of = (
  document: string,
  ...cases: [what: string, patch: string, result: PatchCase['result']][]
): PatchCase[] => cases.map(([what, patch, result]) => ({ what, document, patch, result }));

/** What RFC 6902 shows in its appendix A, with documents of our own. */
const APPENDIX = [
  ...of('{"name":"Ada"}', [
    'A.1 adds a member',
    '[{"op":"add","path":"/team","value":"Acme"}]',
    '{"name":"Ada","team":"Acme"}',
  ]),
  ...of('{"list":["one","three"]}', [
    'A.2 adds an element',
    '[{"op":"add","path":"/list/1","value":"two"}]',
    '{"list":["one","two","three"]}',
  ]),
  ...of('{"name":"Ada","team":"Acme"}', [
    'A.3 removes a member',
    '[{"op":"remove","path":"/name"}]',
    '{"team":"Acme"}',
  ]),
  ...of('{"list":["one","two","three"]}', [
    'A.4 removes an element',
    '[{"op":"remove","path":"/list/1"}]',
    '{"list":["one","three"]}',
  ]),
  ...of('{"name":"Ada","team":"Acme"}', [
    'A.5 replaces a value',
    '[{"op":"replace","path":"/name","value":"Bob"}]',
    '{"name":"Bob","team":"Acme"}',
  ]),
  ...of('{"a":{"x":1,"y":2},"b":{"z":3}}', [
    'A.6 moves a value',
    '[{"op":"move","from":"/a/x","path":"/b/w"}]',
    '{"a":{"y":2},"b":{"z":3,"w":1}}',
  ]),
  ...of('{"list":["a","b","c","d"]}', [
    'A.7 moves an element',
    '[{"op":"move","from":"/list/1","path":"/list/3"}]',
    '{"list":["a","c","d","b"]}',
  ]),
  ...of(
    '{"name":"Ada","list":["a",2,"c"]}',
    [
      'A.8 tests values',
      '[{"op":"test","path":"/name","value":"Ada"},{"op":"test","path":"/list/1","value":2}]',
      '{"name":"Ada","list":["a",2,"c"]}',
    ],
    ['A.9 fails a test', '[{"op":"test","path":"/name","value":"Bob"}]', failed],
  ),
  ...of('{"name":"Ada"}', [
    'A.10 adds an object',
    '[{"op":"add","path":"/child","value":{"of":{}}}]',
    '{"name":"Ada","child":{"of":{}}}',
  ]),
  ...of(
    '{"name":"Ada"}',
    [
      'A.11 ignores unknown members',
      '[{"op":"add","path":"/team","value":"Acme","by":{"value":1},"content":{}}]',
      '{"name":"Ada","team":"Acme"}',
    ],
    ['A.12 adds to what is not there', '[{"op":"add","path":"/child/name","value":1}]', impossible],
    ['A.13 has an op twice', '[{"op":"add","path":"/x","value":1,"op":"remove"}]', malformed],
  ),
  ...of('{"/":9,"~1":10}', [
    'A.14 unescapes ~',
    '[{"op":"test","path":"/~01","value":10},{"op":"test","path":"/~1","value":9}]',
    '{"/":9,"~1":10}',
  ]),
  ...of('{"/":9,"~1":10}', [
    'A.15 compares strings and numbers',
    '[{"op":"test","path":"/~01","value":"10"}]',
    failed,
  ]),
  ...of('{"list":["a"]}', [
    'A.16 adds an array as an element',
    '[{"op":"add","path":"/list/-","value":["b","c"]}]',
    '{"list":["a",["b","c"]]}',
  ]),
];

/** What the public collection of cases looks at beside the appendix, in cases of our own. */
const KNOWN_TRAPS = [
  ...of(
    '{"a":1,"list":[1,[2,3]],"o":{"n":null,"":0}}',
    ['no operations', '[]', '{"a":1,"list":[1,[2,3]],"o":{"n":null,"":0}}'],
    [
      'replaces what has a member already',
      '[{"op":"add","path":"/a","value":{"b":[]}}]',
      '{"a":{"b":[]},"list":[1,[2,3]],"o":{"n":null,"":0}}',
    ],
    ['replaces the whole document', '[{"op":"replace","path":"","value":{"b":1}}]', '{"b":1}'],
    [
      'adds the whole document',
      '[{"op":"add","path":"","value":{}},{"op":"add","path":"/x","value":null}]',
      '{"x":null}',
    ],
    [
      'tests the whole document',
      '[{"op":"test","path":"","value":{"o":{"":0,"n":null},"list":[1,[2,3]],"a":1}}]',
      '{"a":1,"list":[1,[2,3]],"o":{"n":null,"":0}}',
    ],
    [
      'copies the whole document',
      '[{"op":"remove","path":"/list"},{"op":"copy","from":"","path":"/o/all"}]',
      '{"a":1,"o":{"n":null,"":0,"all":{"a":1,"o":{"n":null,"":0}}}}',
    ],
    [
      'moves a value to its own place',
      '[{"op":"move","from":"/list/1","path":"/list/1"}]',
      '{"a":1,"list":[1,[2,3]],"o":{"n":null,"":0}}',
    ],
    [
      'moves from what is not there to the same place',
      '[{"op":"move","from":"/b","path":"/b"}]',
      impossible,
    ],
    [
      'moves an element out of its list',
      '[{"op":"move","from":"/list/1/0","path":"/list/0"}]',
      '{"a":1,"list":[2,1,[3]],"o":{"n":null,"":0}}',
    ],
    [
      'moves over another member',
      '[{"op":"move","from":"/o","path":"/a"}]',
      '{"a":{"n":null,"":0},"list":[1,[2,3]]}',
    ],
    ['moves a value into itself', '[{"op":"move","from":"/list","path":"/list/1/0"}]', malformed],
    ['moves the whole document into itself', '[{"op":"move","from":"","path":"/b"}]', malformed],
    [
      'moves to a name that begins like the source',
      '[{"op":"move","from":"/a","path":"/ab"}]',
      '{"list":[1,[2,3]],"o":{"n":null,"":0},"ab":1}',
    ],
    [
      'finds an empty name',
      '[{"op":"test","path":"/o/","value":0},{"op":"remove","path":"/o/"}]',
      '{"a":1,"list":[1,[2,3]],"o":{"n":null}}',
    ],
    [
      'replaces null',
      '[{"op":"replace","path":"/o/n","value":"x"}]',
      '{"a":1,"list":[1,[2,3]],"o":{"n":"x","":0}}',
    ],
    [
      'tests null',
      '[{"op":"test","path":"/o/n","value":null}]',
      '{"a":1,"list":[1,[2,3]],"o":{"n":null,"":0}}',
    ],
    [
      'adds at the end by index',
      '[{"op":"add","path":"/list/2","value":3}]',
      '{"a":1,"list":[1,[2,3],3],"o":{"n":null,"":0}}',
    ],
    [
      'adds at the beginning',
      '[{"op":"add","path":"/list/0","value":0}]',
      '{"a":1,"list":[0,1,[2,3]],"o":{"n":null,"":0}}',
    ],
    [
      'copies an element within a list',
      '[{"op":"copy","from":"/list/1","path":"/list/0"}]',
      '{"a":1,"list":[[2,3],1,[2,3]],"o":{"n":null,"":0}}',
    ],
    [
      'removes the first and the last element',
      '[{"op":"remove","path":"/list/1/0"},{"op":"remove","path":"/list/1/0"},{"op":"remove","path":"/list/0"}]',
      '{"a":1,"list":[[]],"o":{"n":null,"":0}}',
    ],
    ['adds past the end', '[{"op":"add","path":"/list/3","value":1}]', impossible],
    [
      'has an index with a leading zero',
      '[{"op":"replace","path":"/list/00","value":1}]',
      impossible,
    ],
    ['has an index that is no number', '[{"op":"add","path":"/list/1e0","value":1}]', impossible],
    ['has a negative index', '[{"op":"add","path":"/list/-1","value":1}]', impossible],
    ['has a name in a list', '[{"op":"add","path":"/list/a","value":1}]', impossible],
    ['removes the place after the end', '[{"op":"remove","path":"/list/-"}]', impossible],
    ['looks into a number', '[{"op":"add","path":"/a/b","value":1}]', impossible],
    ['removes what is not there', '[{"op":"remove","path":"/b"}]', impossible],
    ['replaces what is not there', '[{"op":"replace","path":"/b","value":1}]', impossible],
    ['copies what is not there', '[{"op":"copy","from":"/b","path":"/c"}]', impossible],
    ['tests what is not there', '[{"op":"test","path":"/b","value":null}]', failed],
    [
      'does nothing if a later operation fails',
      '[{"op":"remove","path":"/a"},{"op":"test","path":"/o/n","value":0}]',
      failed,
    ],
    ['removes the whole document', '[{"op":"remove","path":""}]', impossible],
    ['leaves a list', '[{"op":"replace","path":"","value":[]}]', impossible],
    [
      'leaves a number in between',
      '[{"op":"add","path":"","value":1},{"op":"add","path":"","value":{}}]',
      impossible,
    ],
    [
      'names "-" in an object',
      '[{"op":"add","path":"/o/-","value":1}]',
      '{"a":1,"list":[1,[2,3]],"o":{"n":null,"":0,"-":1}}',
    ],
    [
      'names a number in an object',
      '[{"op":"add","path":"/o/0","value":1}]',
      '{"a":1,"list":[1,[2,3]],"o":{"n":null,"":0,"0":1}}',
    ],
    ['has no op', '[{"path":"/a"}]', malformed],
    ['has an unknown op', '[{"op":"spam","path":"/a"}]', malformed],
    ['has no path', '[{"op":"remove"}]', malformed],
    ['has null as a path', '[{"op":"remove","path":null}]', malformed],
    ['has a path without a slash', '[{"op":"remove","path":"a"}]', malformed],
    ['has a path with a lone ~', '[{"op":"remove","path":"/~2"}]', malformed],
    ['has no value to add', '[{"op":"add","path":"/a"}]', malformed],
    ['has no value to replace with', '[{"op":"replace","path":"/a"}]', malformed],
    ['has no value to test', '[{"op":"test","path":"/a"}]', malformed],
    ['has no source', '[{"op":"copy","path":"/a"}]', malformed],
    ['is no list', '{"op":"remove","path":"/a"}', malformed],
    ['holds no objects', '[[]]', malformed],
  ),
  ...of(
    '{"__proto__":{"a":1},"constructor":{"prototype":{}},"hasOwnProperty":2}',
    [
      'treats no name as special',
      '[{"op":"add","path":"/__proto__/b","value":2},{"op":"add","path":"/constructor/prototype/c","value":3},{"op":"remove","path":"/hasOwnProperty"}]',
      '{"__proto__":{"a":1,"b":2},"constructor":{"prototype":{"c":3}}}',
    ],
    [
      'copies members of any name',
      '[{"op":"copy","from":"/__proto__","path":"/x"},{"op":"test","path":"","value":{"x":{"a":1},"hasOwnProperty":2,"constructor":{"prototype":{}},"__proto__":{"a":1}}}]',
      '{"__proto__":{"a":1},"constructor":{"prototype":{}},"hasOwnProperty":2,"x":{"a":1}}',
    ],
  ),
  ...of(
    '{}',
    ['finds no inherited members', '[{"op":"remove","path":"/toString"}]', impossible],
    [
      'sees no inherited object',
      '[{"op":"add","path":"/__proto__/polluted","value":1}]',
      impossible,
    ],
    [
      'adds a member with quotes and controls in its name',
      '[{"op":"add","path":"/a\\"\\n\\\\~0~1","value":1},{"op":"test","path":"/a\\u0022\\u000a\\u005c~0~1","value":1}]',
      '{"a\\"\\n\\\\~/":1}',
    ],
  ),
  ...of('{"b":"}]\\",[{","a":["\\\\",{"":"\\\\\\""}],"é日😀":1}', [
    'is not misled by brackets and quotes in strings',
    '[{"op":"test","path":"/b","value":"}]\\u0022,[{"},{"op":"add","path":"/a/1/x","value":true},{"op":"replace","path":"/\\u00e9日😀","value":false}]',
    '{"b":"}]\\",[{","a":["\\\\",{"":"\\\\\\"","x":true}],"é日😀":false}',
  ]),
  ...of(' { "a" : [ 1 , 2 ] , "b" : { } } ', [
    'bears white space',
    '[{"op":"add","path":"/a/-","value":3},{"op":"remove","path":"/a/0"},{"op":"add","path":"/b/c","value":4},{"op":"remove","path":"/a/0"}]',
    '{"a":[3],"b":{"c":4}}',
  ]),
];

const BIG = '12345678901234567890';
const NUMBERS = [
  ...of(
    `{"big":${BIG},"small":0.10,"tiny":1e-400,"zero":-0}`,
    [
      'keeps the digits of numbers that it leaves',
      '[{"op":"add","path":"/x","value":1.50}]',
      `{"big":${BIG},"small":0.10,"tiny":1e-400,"zero":-0,"x":1.50}`,
    ],
    [
      'keeps the digits of numbers that it copies',
      '[{"op":"remove","path":"/tiny"},{"op":"copy","from":"/big","path":"/x"}]',
      `{"big":${BIG},"small":0.10,"zero":-0,"x":${BIG}}`,
    ],
    ['compares every digit', '[{"op":"test","path":"/big","value":12345678901234567891}]', failed],
    ['compares tiny numbers', '[{"op":"test","path":"/tiny","value":1e-401}]', failed],
    [
      'compares by value',
      `[{"op":"test","path":"/big","value":1.2345678901234567890e19},{"op":"test","path":"/small","value":1E-1},{"op":"test","path":"/tiny","value":10e-401},{"op":"test","path":"/zero","value":0.0e5}]`,
      `{"big":${BIG},"small":0.10,"tiny":1e-400,"zero":-0}`,
    ],
    ['minds the sign', '[{"op":"test","path":"/small","value":-0.1}]', failed],
    [
      'refuses numbers beyond those of content',
      '[{"op":"add","path":"/x","value":1e400}]',
      malformed,
    ],
  ),
  ...of('{"n":1}', [
    'has one value for 1, 1.0 and 10e-1',
    '[{"op":"test","path":"/n","value":1.0},{"op":"test","path":"/n","value":10e-1},{"op":"test","path":"/n","value":0.001E+3}]',
    '{"n":1}',
  ]),
];

const EQUALITY = of(
  '{"o":{"a":1,"b":[{"c":"\\u00e9"},null,true]},"s":"1"}',
  [
    'compares objects in any order',
    '[{"op":"test","path":"/o","value":{"b":[{"c":"é"},null,true],"a":1.0}}]',
    '{"o":{"a":1,"b":[{"c":"\\u00e9"},null,true]},"s":"1"}',
  ],
  [
    'minds the order of a list',
    '[{"op":"test","path":"/o/b","value":[null,{"c":"é"},true]}]',
    failed,
  ],
  [
    'minds a member too many',
    '[{"op":"test","path":"/o","value":{"a":1,"b":[{"c":"é"},null,true],"c":1}}]',
    failed,
  ],
  ['minds a member too few', '[{"op":"test","path":"/o","value":{"a":1}}]', failed],
  ['minds an element too few', '[{"op":"test","path":"/o/b","value":[{"c":"é"},null]}]', failed],
  [
    'minds an element too many',
    '[{"op":"test","path":"/o/b","value":[{"c":"é"},null,true,1]}]',
    failed,
  ],
  ['tells lists from objects', '[{"op":"test","path":"/o","value":[]}]', failed],
  [
    'tells an object from a list of its values',
    '[{"op":"test","path":"/o/b/0","value":["é"]}]',
    failed,
  ],
  ['tells objects from lists', '[{"op":"test","path":"/o/b","value":{}}]', failed],
  ['tells strings from numbers', '[{"op":"test","path":"/s","value":1}]', failed],
  ['tells true from false', '[{"op":"test","path":"/o/b/2","value":false}]', failed],
);

export const CASES: PatchCase[] = [...APPENDIX, ...KNOWN_TRAPS, ...NUMBERS, ...EQUALITY];
