/**
 * What runs on a rented virtual machine beside the workload's container: it starts the container once, waits for its end and
 * tells its state to whoever knows the attempt. It is one fixed text. Everything that differs is data in a file beside it, and
 * goes to docker as JSON over its socket: no shell, no command line and no environment of another program ever sees it.
 */
export const RUNNER = String.raw`#!/usr/bin/env python3
import http.client, http.server, json, os, shutil, socket, subprocess, threading, time, urllib.parse

with open(os.environ.get('BERTH_WORK', '/var/lib/berth/work.json'), encoding='utf-8') as file:
    WORK = json.load(file)
SOCKET = os.environ.get('BERTH_DOCKER', '/var/run/docker.sock')
NAME = urllib.parse.quote(WORK['name'], safe='')
METADATA = os.environ.get('BERTH_METADATA', '169.254.169.254')
GANG = WORK.get('gang')
STATE = {'state': 'starting'}


def metadata(path):
    host = http.client.HTTPConnection(METADATA, timeout=5)
    try:
        host.request('PUT', '/latest/api/token', headers={'X-aws-ec2-metadata-token-ttl-seconds': '60'})
        token = host.getresponse().read().decode()
        host.request('GET', '/latest/meta-data/' + path, headers={'X-aws-ec2-metadata-token': token})
        reply = host.getresponse()
        text = reply.read().decode('utf-8', 'replace')
        return text if reply.status == 200 else None
    except (OSError, http.client.HTTPException):
        return None
    finally:
        host.close()


def awaited(path, times):
    for turn in range(times):
        text = metadata(path)
        if text is not None:
            return text
        time.sleep(min(5, 2 ** turn) * WORK['patience'])
    return None


def known(name, find):
    path = os.path.join(os.path.dirname(os.environ.get('BERTH_WORK', '/var/lib/berth/work.json')), name)
    try:
        with open(path, encoding='utf-8') as file:
            return file.read()
    except OSError:
        text = find()
    if text is not None:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 'w', encoding='utf-8') as file:
            file.write(text)
    return text


def peers():
    head = awaited('tags/instance/berth-peers-0', 240)
    if head is None:
        return None
    count, first = head.split(':', 1)
    rest = [awaited('tags/instance/berth-peers-%d' % part, 20) for part in range(1, int(count))]
    return None if None in rest else ','.join([first, *rest])


def meet():
    addresses = (known('peers', peers) or '').split(',')
    if len(addresses) != len(GANG['hosts']):
        return 'the other machines of the gang were not named'
    config = WORK['create']['HostConfig']
    config['ExtraHosts'] = [name + ':' + address for name, address in zip(GANG['hosts'], addresses)]
    if os.path.isdir('/dev/infiniband'):
        config['Devices'] = [{'PathOnHost': '/dev/infiniband', 'PathInContainer': '/dev/infiniband', 'CgroupPermissions': 'rwm'}]
    rule = ['OUTPUT', '-d', '169.254.169.254/32', '-j', 'DROP']
    try:
        if subprocess.run(['iptables', '-C', *rule], check=False, capture_output=True).returncode != 0:
            subprocess.run(['iptables', '-I', *rule], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return 'the metadata of the machine could not be closed to the container'
    return None


if GANG is not None:
    member = known('member', lambda: awaited('ami-launch-index', 240))
    if member is None or not member.isdigit() or int(member) >= len(GANG['members']):
        print(json.dumps({'state': 'ended', 'why': 'the machine does not know which member of the gang it is'}), flush=True)
        raise SystemExit(75)
    WORK.update(GANG['members'][int(member)])
STORAGE = WORK.get('storage')


class Docker(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(SOCKET)


def ask(method, path, body=None):
    docker = Docker('localhost')
    try:
        headers = {} if body is None else {'content-type': 'application/json'}
        docker.request(method, path, None if body is None else json.dumps(body).encode(), headers)
        reply = docker.getresponse()
        return reply.status, reply.read().decode('utf-8', 'replace')
    finally:
        docker.close()


def patiently(act, times):
    for turn in range(times):
        try:
            status, text = act()
            if status < 300 and '"error"' not in text:
                return None
            why = text[-300:]
        except OSError as error:
            why = str(error)
        time.sleep(min(30, 2 ** turn) * WORK['patience'])
    return why


def stored(name):
    try:
        with open(os.path.join(STORAGE['folder'], 'state', name), encoding='utf-8', errors='replace') as file:
            return file.read().strip()
    except OSError:
        return ''


def keep(*words):
    return subprocess.Popen(['/bin/sh', STORAGE['courier'], words[0], STORAGE['folder'], *words[1:]])


def lost(why):
    return {'state': 'ended', 'storage': True, 'why': (stored('failed') or why)[:300]}


def install():
    quiet = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL}
    for turn in range(5):
        for words in (['update'], ['install', '-y', '--no-install-recommends', 'rclone', 'fuse3']):
            subprocess.run(['apt-get', '-q', *words], env={**os.environ, 'DEBIAN_FRONTEND': 'noninteractive'}, check=False, **quiet)
        if shutil.which('rclone') is not None:
            return True
        time.sleep(min(30, 2 ** turn) * WORK['patience'])
    return False


def fetch():
    if STORAGE['isFetched'] and shutil.which('rclone') is None and not install():
        return 'rclone is not on the machine, and could not be installed'
    return None if keep('fetch').wait() == 0 else 'its storage could not be fetched'


def guard(courier):
    if courier.wait() != 0:
        ask('POST', '/containers/' + NAME + '/stop?t=10')


def saved(code):
    if STORAGE is None:
        return {'state': 'ended', 'code': code}
    with open(os.path.join(STORAGE['folder'], 'state', 'ended'), 'w') as file:
        file.write('yes')
    COURIER.send_signal(10)
    COURIER.wait()
    if keep('finish', str(code)).wait() != 0:
        return lost('its storage could not be saved')
    return {'state': 'ended', 'code': code}


def work():
    global COURIER
    why = patiently(lambda: ask('GET', '/_ping'), 8)
    if why is not None:
        return {'state': 'ended', 'why': 'docker does not answer: ' + why}
    if ask('GET', '/containers/' + NAME + '/json')[0] == 404:
        query = urllib.parse.urlencode(WORK['pull'])
        why = patiently(lambda: ask('POST', '/images/create?' + query), 5)
        image = urllib.parse.quote(WORK['create']['Image'], safe='')
        if why is not None and ask('GET', '/images/' + image + '/json')[0] != 200:
            return {'state': 'ended', 'why': 'the image could not be fetched: ' + why}
        why = None if GANG is None else meet()
        if why is not None:
            return {'state': 'ended', 'why': why}
        why = None if STORAGE is None else fetch()
        if why is not None:
            return lost(why)
        status, text = ask('POST', '/containers/create?name=' + NAME, WORK['create'])
        if status != 201:
            return {'state': 'ended', 'why': 'the container was refused: ' + text[-300:]}
        status, text = ask('POST', '/containers/' + NAME + '/start')
        if status >= 400:
            return {'state': 'ended', 'why': 'the container did not start: ' + text[-300:]}
    if STORAGE is not None:
        COURIER = keep('keep')
        threading.Thread(target=guard, args=(COURIER,), daemon=True).start()
    STATE['state'] = 'up'
    status, text = ask('POST', '/containers/' + NAME + '/wait')
    if status != 200:
        return {'state': 'ended', 'why': 'docker lost the container: ' + text[-300:]}
    return saved(json.loads(text)['StatusCode'])


class Status(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        known = self.path == '/' + urllib.parse.quote(WORK['attempt'], safe='')
        point = stored('checkpoint') if known and STORAGE is not None else ''
        point = {'checkpoint': int(point)} if point.isdigit() else {}
        body = json.dumps({'attempt': WORK['attempt'], **STATE, **point}).encode() if known else b''
        self.send_response(200 if known else 404)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


if WORK['port'] > 0:
    server = http.server.ThreadingHTTPServer(('', WORK['port']), Status)
    threading.Thread(target=server.serve_forever, daemon=True).start()
STATE.update(work())
print(json.dumps(STATE), flush=True)
while WORK['port'] > 0:
    time.sleep(3600)
`
