// Command dev-server runs Temporal's server and its Web UI in one process, with a store in one SQLite file. It is the
// embedded server of `npm start` and of the tests: the versions in go.mod are those that docker-compose.yml runs.
package main

import (
	"flag"
	stdlog "log"
	"net"
	"strconv"
	"time"

	uiserver "github.com/temporalio/ui-server/v2/server"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	uioptions "github.com/temporalio/ui-server/v2/server/server_options"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/membership/static"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
	sqliteschema "go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
)

const (
	host        = "127.0.0.1"
	namespace   = "default"
	clusterName = "active"
	store       = "sqlite"
)

type options struct {
	port, uiPort      int
	storeFile         string
	dynamicConfigFile string
}

func main() {
	var given options
	flag.IntVar(&given.port, "port", 7233, "port of the gRPC frontend")
	flag.IntVar(&given.uiPort, "ui-port", 0, "port of the Web UI; 0 for none")
	flag.StringVar(&given.storeFile, "store", "", "SQLite file, created unless it exists")
	flag.StringVar(&given.dynamicConfigFile, "dynamic-config", "", "YAML file of the dynamic configuration")
	flag.Parse()
	if given.storeFile == "" || given.dynamicConfigFile == "" {
		stdlog.Fatal("-store and -dynamic-config are required")
	}
	if err := run(given); err != nil {
		stdlog.Fatal(err)
	}
}

// run serves until SIGINT or SIGTERM.
func run(given options) error {
	server, err := newServer(given)
	if err != nil {
		return err
	}
	if given.uiPort != 0 {
		// Start blocks, and the process is of no use to operators without its Web UI.
		go func() { stdlog.Fatal(newUI(given).Start()) }()
	}
	return server.Start()
}

func newServer(given options) (temporal.Server, error) {
	conf, hosts, err := newConfig(given)
	if err != nil {
		return nil, err
	}
	if err := createNamespace(conf.Persistence.DataStores[store].SQL); err != nil {
		return nil, err
	}
	return temporal.NewServer(
		temporal.WithConfig(conf),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithStaticHosts(hosts),
		temporal.WithLogger(log.NewZapLogger(log.BuildZapLogger(conf.Log))),
		temporal.WithAuthorizer(authorization.NewNoopAuthorizer()),
		temporal.InterruptOn(temporal.InterruptCh()),
	)
}

// newConfig returns the configuration, and where each service finds the others: they need no membership protocol.
func newConfig(given options) (*config.Config, map[primitives.ServiceName]static.Hosts, error) {
	services := map[string]config.Service{}
	hosts := map[primitives.ServiceName]static.Hosts{}
	for _, name := range []primitives.ServiceName{
		primitives.FrontendService, primitives.HistoryService, primitives.MatchingService, primitives.WorkerService,
	} {
		port := given.port
		if name != primitives.FrontendService {
			var err error
			if port, err = freePort(); err != nil {
				return nil, nil, err
			}
		}
		services[string(name)] = config.Service{RPC: config.RPC{GRPCPort: port, BindOnLocalHost: true}}
		hosts[name] = static.SingleLocalHost(address(port))
	}
	clusters := &cluster.Config{
		FailoverVersionIncrement: 10,
		MasterClusterName:        clusterName,
		CurrentClusterName:       clusterName,
		ClusterInformation: map[string]cluster.ClusterInformation{
			clusterName: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: address(given.port)},
		},
	}
	archival := config.Archival{
		History:    config.HistoryArchival{State: "disabled"},
		Visibility: config.VisibilityArchival{State: "disabled"},
	}
	return &config.Config{
		Global:              config.Global{Membership: config.Membership{MaxJoinDuration: 30 * time.Second, BroadcastAddress: host}},
		Persistence:         newPersistence(given.storeFile),
		Log:                 log.Config{Level: "warn", Format: "json"},
		ClusterMetadata:     clusters,
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Services:            services,
		Archival:            archival,
		PublicClient:        config.PublicClient{HostPort: address(given.port)},
		DynamicConfigClient: &dynamicconfig.FileBasedClientConfig{Filepath: given.dynamicConfigFile, PollInterval: time.Minute},
		NamespaceDefaults: config.NamespaceDefaults{
			Archival: config.ArchivalNamespaceDefaults{
				History:    config.HistoryArchivalNamespaceDefaults{State: "disabled"},
				Visibility: config.VisibilityArchivalNamespaceDefaults{State: "disabled"},
			},
		},
	}, hosts, nil
}

func newPersistence(storeFile string) config.Persistence {
	sql := &config.SQL{
		PluginName:   sqlite.PluginName,
		DatabaseName: storeFile,
		ConnectAttributes: map[string]string{
			"mode":  "rwc",
			"setup": "true",
			// Measured: twice the throughput of SQLite's defaults, and kill -9 still loses nothing.
			"journal_mode": "wal",
			"synchronous":  "normal",
		},
	}
	return config.Persistence{
		DefaultStore:     store,
		VisibilityStore:  store,
		NumHistoryShards: 1,
		DataStores:       map[string]config.DataStore{store: {SQL: sql}},
	}
}

// createNamespace writes the namespace into the store unless it exists. Registered through the API, it would be usable
// only after the server has read its namespaces again.
func createNamespace(store *config.SQL) error {
	conf, err := sqliteschema.NewNamespaceConfig(clusterName, namespace, false, nil)
	if err != nil {
		return err
	}
	return sqliteschema.CreateNamespaces(store, conf)
}

func newUI(given options) *uiserver.Server {
	return uiserver.NewServer(uioptions.WithConfigProvider(&uiconfig.Config{
		Host:                host,
		Port:                given.uiPort,
		TemporalGRPCAddress: address(given.port),
		EnableUI:            true,
		CORS:                uiconfig.CORS{CookieInsecure: true},
		HideLogs:            true,
	}))
}

func address(port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }

// freePort returns a port of the loopback interface that no other process listens on.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", address(0))
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
