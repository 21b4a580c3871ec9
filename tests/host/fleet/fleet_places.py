# SPDX-License-Identifier: Apache-2.0
"""What tests of gnomon fleet start: databases, the service, collectors."""
import atexit
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from checking import fail
from commands import must

POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")
TOOLS = pathlib.Path(os.environ.get("FLEET_TOOLS", ""))  # folder of fleet_load, fleet_random, fleet_times
PATIENCE = 120
LOAD_PATIENCE = 7200
OTHER_USER = 65534       # PostgreSQL does not run as root
STANDARD = ["--limits", "rate=100000000", "--limits", "volume=1000000000000"]  # collectors of tests do not wait


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(good, what):
    for _ in range(PATIENCE * 10):
        if good():
            return
        time.sleep(0.1)
    fail(f"{what}: not after {PATIENCE} s")


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


# ---- Databases ----

class Sqlite:
    """A file. It has no process to kill."""
    shards, kind = 1, "sqlite"

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "fleet.db"
        for old in folder.glob("fleet.db*"):
            old.unlink()
        self.where = str(self.path)

    def script(self, text):
        must(["sqlite3", "-bail", self.path, text])

    def kill(self):
        pass

    def start(self):
        pass

    def close(self):
        pass


class Postgres:
    """PostgreSQL of this machine, with a cluster of its own in a folder with a short name. `place`: the folder's parent; its log of changes is elsewhere,
    for PostgreSQL ends when it cannot write that."""
    shards, kind = 1, "postgresql"

    def __init__(self, place="/tmp", fsync=False):
        if not POSTGRES.is_dir():
            fail("PostgreSQL 15 is not there: tools/setup.sh fleet")
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=place, prefix="gnomon-pg"))
        self.log_folder = pathlib.Path(tempfile.mkdtemp(prefix="gnomon-wal"))
        self.port, self.fsync = free_port(), fsync
        self.where = f"postgres://gnomon@127.0.0.1:{self.port}/postgres"
        if os.getuid() == 0:
            for folder in (self.folder, self.log_folder):
                os.chown(folder, OTHER_USER, OTHER_USER)
        self.run("initdb", "-D", self.folder / "d", "-X", self.log_folder / "wal", "-U", "gnomon", "-A", "trust", "-N", "--no-locale")
        self.start()

    def run(self, program, *words):
        user = ["setpriv", f"--reuid={OTHER_USER}", f"--regid={OTHER_USER}", "--clear-groups", "--"] if os.getuid() == 0 else []
        return must([*user, POSTGRES / program, *words], stdin=subprocess.DEVNULL)

    def start(self):
        options = f"-c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200 -p {self.port}{'' if self.fsync else ' -F'}"
        for _ in range(100):  # a killed one's children may still be there
            try:
                self.run("pg_ctl", "-D", self.folder / "d", "-w", "-l", self.folder / "log", "-o", options, "start")
                return
            except SystemExit:
                time.sleep(0.3)
        fail(f"PostgreSQL does not start: {(self.folder / 'log').read_text()[-2000:]}")

    def kill(self):
        os.kill(int((self.folder / "d/postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        time.sleep(0.2)

    def script(self, text):
        must(["psql", "-q", "-v", "ON_ERROR_STOP=1", self.where, "-c", text])

    def close(self):
        if (self.folder / "d/postmaster.pid").exists():
            self.run("pg_ctl", "-D", self.folder / "d", "-m", "immediate", "stop")
        for folder in (self.folder, self.log_folder):
            shutil.rmtree(folder, ignore_errors=True)


PROXY_SERVER = """rules:
  - !AUTHORITY
    users: ["gnomon@%:gnomon"]
    provider: {type: ALL_PRIVILEGES_PERMITTED}
"""
PROXY_LOG = '<configuration><appender name="file" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>%d %level %msg%n</pattern></encoder></appender><root level="ERROR"><appender-ref ref="file"/></root></configuration>'
TABLES = ["gnomon_source", "gnomon_row", "gnomon_bucket", "gnomon_submission", "gnomon_shard"]


class Sharded:
    """Two PostgreSQLs, and ShardingSphere-Proxy in front of them: rows are divided by their column `shard`."""
    shards, kind = 2, "postgresql"

    def __init__(self, gnomon, jars, fsync=False):
        if not pathlib.Path(jars).is_dir() or not any(pathlib.Path(jars).glob("shardingsphere-proxy-bootstrap-*.jar")):
            fail(f"{jars} has no ShardingSphere-Proxy: Maven did not fetch it")
        self.jars, self.port = pathlib.Path(jars).resolve(), free_port()
        self.where = f"postgres://gnomon:gnomon@127.0.0.1:{self.port}/fleet"
        self.databases = [Postgres(fsync=fsync) for _ in range(self.shards)]
        schema = must([gnomon, "fleet", "schema"])
        for database in self.databases:
            database.script(schema)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gnomon-proxy"))
        (self.folder / "server.yaml").write_text(PROXY_SERVER)
        (self.folder / "logback.xml").write_text(PROXY_LOG)
        (self.folder / "config-fleet.yaml").write_text(self.configuration())
        self.process = None
        self.start_proxy()

    def configuration(self):
        lines = ["schemaName: fleet", "dataSources:"]
        for number, database in enumerate(self.databases):
            lines += [f"  ds_{number}: {{url: 'jdbc:postgresql://127.0.0.1:{database.port}/postgres', username: gnomon, password: '', maxPoolSize: 20}}"]
        lines += ["rules:", "- !SHARDING", "  tables:"]
        lines += [f"    {table}: {{actualDataNodes: 'ds_${{0..{self.shards - 1}}}.{table}'}}" for table in TABLES]
        lines += [f"  bindingTables: ['{','.join(TABLES)}']", "  defaultDatabaseStrategy:",
                  "    standard: {shardingColumn: shard, shardingAlgorithmName: by_shard}", "  defaultTableStrategy: {none: }", "  shardingAlgorithms:",
                  f"    by_shard: {{type: INLINE, props: {{algorithm-expression: 'ds_${{shard % {self.shards}}}'}}}}"]
        return "\n".join(lines) + "\n"

    def answers(self):
        return subprocess.run(["psql", "-q", self.where, "-c", "select 1"], capture_output=True, check=False).returncode == 0

    def start_proxy(self):
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(["java", "-Xmx512m", "-cp", f"{self.folder}:{self.jars}/*", "org.apache.shardingsphere.proxy.Bootstrap", str(self.port), str(self.folder)],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)
        until(lambda: self.answers() or self.process.poll() is not None, "ShardingSphere-Proxy")
        if self.process.poll() is not None:
            fail(f"ShardingSphere-Proxy has ended: {(self.folder / 'log').read_text()[-2000:]}")

    def script(self, text):
        for database in self.databases:
            database.script(text)

    def kill(self):
        """One database, as a machine of many fails."""
        self.databases[1].kill()

    def start(self):
        self.databases[1].start()

    def close(self):
        self.process.kill()
        self.process.wait()
        for database in self.databases:
            database.close()
        shutil.rmtree(self.folder, ignore_errors=True)


# ---- The service ----

class Service:
    """`gnomon fleet serve` on a port that stays when it is started again."""

    def __init__(self, gnomon, database, folder, *options, tokens=1):
        self.gnomon, self.database, self.options, self.folder = gnomon, database, options, pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port, self.hashes, self.secrets, self.process = free_port(), self.folder / "hashes", self.folder / "tokens", None
        self.hashes.unlink(missing_ok=True)
        self.tokens = [must([gnomon, "fleet", "token", "-q", "--tokens", self.hashes, f"collector {number}"]).strip() for number in range(tokens)]
        self.secrets.write_text("".join(token + "\n" for token in self.tokens))
        self.start()
        atexit.register(lambda: self.process.kill())

    def start(self):
        self.process = subprocess.Popen([str(word) for word in (self.gnomon, "fleet", "serve", "--db", self.database.where, "--shards", self.database.shards, "--tokens", self.hashes,
                                                                "--listen", self.port, *self.options)],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=(self.folder / "errors").open("ab"))
        line = self.process.stdout.readline()
        if b"http://" not in line:
            self.process.wait()
            fail(f"gnomon fleet serve has not started: {(self.folder / 'errors').read_text()[-3000:]}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self, by=signal.SIGTERM):
        """The exit status, and what was written to standard error since the first start."""
        self.process.send_signal(by)
        status = self.process.wait(PATIENCE)
        return status, (self.folder / "errors").read_text()

    def export(self, name, *options):
        path = self.folder / f"{name}.gnp"
        must([self.gnomon, "fleet", "export", "-q", "--db", self.database.where, "--shards", self.database.shards, "-o", path, *options])
        return path.read_bytes()


# ---- Collectors ----

def bodies(folder, count, rows, functions, size="small", seed=1):
    folder.mkdir(parents=True, exist_ok=True)
    made = [folder / f"{size}{number}.gnp" for number in range(count)]
    for number, path in enumerate(made):
        must([TOOLS / "fleet_random", seed * 1000 + number, rows, functions, size, path])
    return made


class Load:
    """fleet_load in the background."""

    def __init__(self, service, first, count, files, rough=False):
        self.process = subprocess.Popen([str(word) for word in (TOOLS / "fleet_load", *(["--rough"] if rough else []), service.port, first, count, service.secrets, *files)],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def ended(self):
        return self.process.poll() is not None

    def result(self):
        try:
            out, err = self.process.communicate(timeout=LOAD_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            fail("fleet_load has not ended")
        if self.process.returncode:
            fail(f"fleet_load: status {self.process.returncode}\n{err.decode()[-3000:]}")
        return json.loads(out)


def add_counts(total, load):
    for path, times in load["times"].items():
        total[path] = total.get(path, 0) + times


def expected(folder, total):
    """The bytes of what `gnomon merge` makes of all that was submitted."""
    path = pathlib.Path(folder) / "expected.gnp"
    must([TOOLS / "fleet_times", path], input="".join(f"{times} {file}\n" for file, times in total.items()))
    return path.read_bytes()
